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
    /// <summary>The payload of an acknowledgement: view, round, hop.</summary>
    private const int AckBytes = sizeof(ulong) + sizeof(ulong) + sizeof(ushort);

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
        TopicsMax = options.TopicsPerToken,
        BytesMax = output.FramesBytesMax - RingLimits.AroundTokenBytes,
    };

    public RegionView? View { get; set; }

    /// <summary>This member's position; -1 while it is in no view.</summary>
    public int Position { get; private set; } = -1;

    /// <summary>This member's part of the view; empty while it is in no view.</summary>
    public RegionPart Part { get; private set; }

    /// <summary>This member's place in its part; the lowest leads.</summary>
    public int Rank => Position - Part.First;

    /// <summary>True while this member may lead its part: the first does, the others when no token comes.</summary>
    public bool MayLead => Position >= 0 && Rank < RoundNumber.LeadersOf(View!);

    /// <summary>
    /// Puts an alarm off if the answer that was due may lie unread at this core: what is not known to be lost is not repeated, for a core
    /// that is late would have to get through the repeats as well.
    /// </summary>
    /// <param name="alarm">The alarm, which has come.</param>
    /// <param name="dueNs">When the answer was due.</param>
    /// <param name="sinceNs">
    /// When it was first looked for; <see cref="long.MaxValue"/> before. Not when it was due: a core that stood still has not had a chance.
    /// </param>
    /// <returns>False if it is lost, as far as this member can know.</returns>
    public bool TryAwaitUnread(Alarm alarm, long dueNs, ref long sinceNs)
    {
        long nowNs = core.NowNs;
        sinceNs = Math.Min(sinceNs, nowNs);
        if (nowNs >= sinceNs + options.UnreadWaitMaxNs || !core.MayControlBeUnread(dueNs))
        {
            return false;
        }

        // What came by now is mostly handled in this turn.
        core.ScheduleIn(alarm, nowNs == sinceNs ? options.PauseMinNs : options.RtoMinNs);
        return true;
    }

    /// <summary>The position of the member that leads a round; -1 for a number that nobody gives.</summary>
    public int LeaderOf(ulong round)
    {
        int rank = RoundNumber.RankOf(round, View!);
        return rank < RoundNumber.LeadersOf(View!) && Part.First + rank < Part.End ? Part.First + rank : -1;
    }

    /// <summary>True while the sender reaches all members by one datagram to a group.</summary>
    public bool HearsGroup { get; set; }

    /// <summary>
    /// How long the sender is at the members behind this part, after it has sent to this member. The slowest part decides when all have
    /// told, so that a round before that gains nothing, and takes time from who delivers.
    /// </summary>
    public long SweepNs => HearsGroup ? 0 : (View!.Members.Length - Part.End) * options.SweepNsPerMember;

    /// <summary>Takes this member's place in a view; -1 for none.</summary>
    public void SetPosition(int position)
    {
        Position = position;
        Part = position < 0 ? default : View!.PartOf(position);
        Scratch.Positions = Part.End - Part.First;
        Reports.RoundStep = position < 0 ? 1 : RoundNumber.StepOf(View!);
    }

    public ulong ViewNumber => View!.Number.Value;

    public NodeAddress AddressOf(int position) => View!.Members[position].ControlAddress;

    public uint SlotOf(int position) => View!.Members[position].Slot;

    /// <summary>Acknowledges a hop of a round to a member; hop 0 only tells it that the round is the newest.</summary>
    public void Acknowledge(ulong round, ushort hop, int position)
    {
        Span<byte> frames = stackalloc byte[FrameReader.HeaderBytes + AckBytes];
        var writer = new WireWriter(frames);
        int start = FrameWriter.Begin(ref writer, FrameType.TokenAck);
        writer.WriteU64(ViewNumber);
        writer.WriteU64(round);
        writer.WriteU16(hop);
        if (FrameWriter.End(ref writer, start))
        {
            // A full queue is treated as a loss: the token is sent again.
            _ = output.TrySend(AddressOf(position), PacketClass.Control, writer.Written);
        }
    }

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

/// <summary>
/// Activity counters of a ring member. Written on the core thread; instruments read each value independently, from any thread.
/// </summary>
internal sealed class RingCounters
{
    /// <summary>How often this member began to lead in the place of one before it, of which no token came.</summary>
    public long TakeOvers { get; internal set; }

    /// <summary>Rounds that this member, as leader, completed.</summary>
    public long Rounds { get; internal set; }

    /// <summary>Rounds that this member, as leader, abandoned.</summary>
    public long RoundsGivenUp { get; internal set; }

    /// <summary>Finished rounds whose hops were not acknowledged, as leader.</summary>
    public long QuietRounds { get; internal set; }

    /// <summary>Tokens accepted from another member.</summary>
    public long Hops { get; internal set; }

    /// <summary>Tokens and aggregates sent again.</summary>
    public long Retransmits { get; internal set; }

    /// <summary>Members skipped after all tries.</summary>
    public long Skips { get; internal set; }

    /// <summary>Tokens of an older or finished round, discarded here.</summary>
    public long StaleTokens { get; internal set; }

    /// <summary>Tokens of a round already seen: acknowledged again, not passed on.</summary>
    public long DuplicateTokens { get; internal set; }

    /// <summary>Frames of another view, ignored.</summary>
    public long OtherViews { get; internal set; }

    /// <summary>Frames that were malformed, or impossible from their sender.</summary>
    public long Refused { get; internal set; }

    /// <summary>Rounds reported to the sender, each counted once.</summary>
    public long AggregatesSent { get; internal set; }
}

/// <summary>The highest floor seen per stream. Bounded: the oldest entry is replaced when full, which at worst repeats a floor.</summary>
internal sealed class FloorTable
{
    private readonly (ulong Origin, ulong Floor)[] _entries = new (ulong, ulong)[RingLimits.StreamsKnownMax];
    private int _count;
    private int _oldest;

    public ulong Of(ulong origin)
    {
        int index = IndexOf(origin);
        return index < 0 ? 0 : _entries[index].Floor;
    }

    /// <summary>Records a floor; true when it is higher than any before.</summary>
    public bool TryRaise(ulong origin, ulong floor)
    {
        int index = IndexOf(origin);
        if (floor == 0 || (index >= 0 && _entries[index].Floor >= floor))
        {
            return false;
        }

        if (index < 0)
        {
            index = _count < _entries.Length ? _count++ : _oldest++ % _entries.Length;
        }

        _entries[index] = (origin, floor);
        return true;
    }

    private int IndexOf(ulong origin)
    {
        for (int i = 0; i < _count; i++)
        {
            if (_entries[i].Origin == origin)
            {
                return i;
            }
        }

        return -1;
    }
}
