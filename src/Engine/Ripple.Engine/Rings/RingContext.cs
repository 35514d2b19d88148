using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// State shared by the parts of one ring member. The members of the ring are those of the whole region, in slot order; a second level of
/// rings would provide a slice of them here.
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
    public int Position { get; set; } = -1;

    public int MemberCount => View!.Members.Length;

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
