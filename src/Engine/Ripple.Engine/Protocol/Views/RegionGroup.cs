using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>
/// The multicast group to which the host also sends the region's stream: the node joins it and reports whether it hears it. Only sent to
/// nodes from version 2 on.
/// </summary>
/// <param name="RegionId">The region.</param>
/// <param name="Group">The group's address and port.</param>
internal sealed record RegionGroup(ulong RegionId, NodeAddress Group) : IMessage<RegionGroup>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.RegionGroup;

    /// <inheritdoc/>
    public static RegionGroup Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        return new RegionGroup(regionId, reader.ReadAddress());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
        writer.WriteAddress(Group);
    }
}
