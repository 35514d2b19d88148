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

/// <summary>A request for the full view, from a node that lacks the view a change starts from.</summary>
/// <param name="RegionId">The region.</param>
internal sealed record ViewRequest(ulong RegionId) : IMessage<ViewRequest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ViewRequest;

    /// <inheritdoc/>
    public static ViewRequest Read(ref WireReader reader)
    {
        ulong regionId = reader.ReadU64();
        return new ViewRequest(regionId);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU64(RegionId);
    }
}

/// <summary>A whole view.</summary>
/// <param name="View">The view.</param>
internal sealed record ViewFull(RegionView View) : IMessage<ViewFull>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ViewFull;

    /// <inheritdoc/>
    public static ViewFull Read(ref WireReader reader)
    {
        RegionView view = WireParts.ReadView(ref reader);
        return new ViewFull(view);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        WireParts.WriteView(ref writer, View);
    }
}
