using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>
/// How the views that follow on this connection are cut into parts. Sent before the first view that is cut otherwise than those before, and
/// only to nodes from version 5 on: until then, views are one ring.
/// </summary>
/// <param name="RegionId">The region.</param>
/// <param name="PartMembers">The fewest members of a part; 0 for one ring.</param>
internal sealed record RegionParts(ulong RegionId, ushort PartMembers) : IMessage<RegionParts>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.RegionParts;

    /// <inheritdoc/>
    public static RegionParts Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        return new RegionParts(regionId, reader.ReadU16());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
        writer.WriteU16(PartMembers);
    }
}
