using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Views;

/// <summary>The changes from one view of a region to the next.</summary>
/// <param name="RegionId">The region.</param>
/// <param name="From">The view it starts from.</param>
/// <param name="To">The resulting view.</param>
/// <param name="RemovedSlots">The slots of the removed members.</param>
/// <param name="Added">The new members.</param>
internal sealed record ViewChange(
    ulong RegionId,
    ViewNumber From,
    ViewNumber To,
    IReadOnlyList<uint> RemovedSlots,
    IReadOnlyList<RegionMember> Added) : IMessage<ViewChange>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ViewChange;

    /// <inheritdoc/>
    public static ViewChange Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        ViewNumber fromView = new ViewNumber(reader.ReadU64());
        ViewNumber toView = new ViewNumber(reader.ReadU64());
        uint[] removedSlots = new uint[reader.ReadCount16(4, WireLimits.RegionMembersMax)];
        for (int i = 0; i < removedSlots.Length; i++)
        {
            removedSlots[i] = reader.ReadU32();
        }

        IReadOnlyList<RegionMember> added = WireParts.ReadMembers(ref reader);
        return new ViewChange(regionId, fromView, toView, removedSlots, added);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
        writer.WriteU64(From.Value);
        writer.WriteU64(To.Value);
        writer.WriteU16((ushort)RemovedSlots.Count);
        foreach (uint slot in RemovedSlots)
        {
            writer.WriteU32(slot);
        }

        WireParts.WriteMembers(ref writer, Added);
    }
}
