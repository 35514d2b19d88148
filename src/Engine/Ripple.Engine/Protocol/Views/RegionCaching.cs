using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>
/// How many members of the region keep each packet for others from now on. Sent only to nodes from version 6 on, and not 0 only while all
/// members are: until then, nobody keeps anything.
/// </summary>
/// <param name="RegionId">The region.</param>
/// <param name="Owners">The fewest members that keep a packet; 0 for none.</param>
internal sealed record RegionCaching(ulong RegionId, ushort Owners) : IMessage<RegionCaching>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.RegionCaching;

    /// <inheritdoc/>
    public static RegionCaching Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        return new RegionCaching(regionId, reader.ReadU16());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
        writer.WriteU16(Owners);
    }
}
