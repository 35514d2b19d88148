using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>
/// The host sends the region's stream to a multicast group too: join it, and say whether it is heard. Only to nodes of version 2 and up.
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
