using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// State shared by the elements of one ring member. The members of the ring are those of its part of the view, in slot order; positions are
/// those of the whole view.
/// </summary>
internal sealed class RingContext(
    CoreLoop core, IFrameSender output, IRingContribution contribution, MemberKey key, RingOptions options)
{
    public CoreLoop Core => core;

    public IFrameSender Output => output;

    public IRingContribution Contribution => contribution;

    /// <summary>This member's own key, by which it proves its aggregates.</summary>
    public MemberKey Key => key;

    public RingOptions Options => options;

    public RingCounters Counters { get; } = new();

    public ReportLog Reports { get; } = new();

    public FloorTable Floors { get; } = new();

    /// <summary>Scratch space for the current call; holds nothing between calls.</summary>
    public RingToken Scratch { get; } = new()
    {
        LagExactMax = (ulong)options.LagExactMax,
        BytesMax = output.FramesBytesMax - RingLimits.AroundTokenBytes,
    };

    public RegionView? View { get; set; }

    /// <summary>This member's position; -1 while it is in no view.</summary>
    public int Position { get; private set; } = -1;

    /// <summary>This member's part of the view; empty while it is in no view.</summary>
    public RegionPart Part { get; private set; }

    /// <summary>True while this member is the first of its part.</summary>
    public bool IsLeader => Position >= 0 && Position == Part.First;

    /// <summary>Takes this member's place in a view; -1 for none.</summary>
    public void SetPosition(int position)
    {
        Position = position;
        Part = position < 0 ? default : View!.PartOf(position);
    }

    public ulong ViewNumber => View!.Number.Value;

    public NodeAddress AddressOf(int position) => View!.Members[position].ControlAddress;

    public uint SlotOf(int position) => View!.Members[position].Slot;

    /// <summary>Notifies the contribution of a floor, if it rose.</summary>
    public void RaiseFloor(ulong origin, ulong floor)
    {
        if (Floors.TryRaise(origin, floor))
        {
            contribution.OnFloor(origin, floor);
        }
    }

    /// <summary>
    /// Writes a token as a frame, for an aggregate behind the room of its <see cref="AggregateProof"/>; returns the bytes, or 0 when it
    /// does not fit.
    /// </summary>
    public static int WriteFrame(RingToken token, FrameType type, Span<byte> frames)
    {
        var writer = new WireWriter(frames);
        int start = FrameWriter.Begin(ref writer, type);
        writer.Take(type == FrameType.Aggregate ? AggregateProof.Bytes : 0);
        return RingTokenCodec.TryWrite(token, ref writer) && FrameWriter.End(ref writer, start) ? writer.Position : 0;
    }
}
