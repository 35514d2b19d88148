using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// A member of a ring (QSM 2): passes tokens on, adds its contribution, and leads the ring when it is first in its part of the view, or
/// when those before it do not. Core thread. Frames arrive opened: the seal proves only that a member sent them, so the content of a token
/// is only as trustworthy as the members that it passed.
/// </summary>
internal sealed class RingMember : IDisposable
{
    /// <summary>How far a round may be ahead of the last one seen, so that a forged round number cannot block all later rounds.</summary>
    private const ulong RoundLeapMax = 1UL << 32;

    /// <summary>
    /// A round that is further ahead than this is one after long silence, and there is one such in a while: forged numbers that leap on
    /// and on would come to the end of the range.
    /// </summary>
    private const ulong RoundStepMax = 1UL << 20;

    private const long LeapNs = 1_000_000_000;

    private readonly RingContext _context;
    private readonly RingLeader _leader;
    private ulong _lastRound;
    private long _nextLeapNs;

    /// <summary>Creates a member that belongs to no ring until the first <see cref="OnView"/>.</summary>
    /// <param name="core">The core; uses four of its alarms.</param>
    /// <param name="output">Sends frames. Must not call back before the call into this member returns.</param>
    /// <param name="contribution">This member's contribution. Called from inside the calls below and from alarms.</param>
    /// <param name="key">The key it shares with the sender, by which it proves its aggregates.</param>
    /// <param name="options">Time settings.</param>
    public RingMember(CoreLoop core, IFrameSender output, IRingContribution contribution, MemberKey key, RingOptions options)
    {
        _context = new RingContext(core, output, contribution, key, options);
        _leader = new RingLeader(_context);
    }

    /// <summary>Activity counters of this member.</summary>
    public RingCounters Counters => _context.Counters;

    /// <summary>What this member has not told, or not heard of that it is told.</summary>
    public int ReportCount => _context.Reports.Count;

    /// <summary>True while this member starts the rounds.</summary>
    public bool IsLeader => _leader.Leads;

    /// <summary>
    /// True while the sender's stream comes by a multicast group; false, the default, while each member is sent its own copy.
    /// </summary>
    public bool HearsGroup
    {
        get => _context.HearsGroup;
        set => _context.HearsGroup = value;
    }

    /// <summary>
    /// Enters a view. An older or equal one is ignored. State of the previous view is dropped; the new leader starts a round after the
    /// shortest pause.
    /// </summary>
    /// <param name="view">The view; a member that is not in it does not take part.</param>
    /// <param name="ownSlot">This member's slot.</param>
    /// <param name="senderControlAddress">The address for aggregates; the default value when there is no sender to report to.</param>
    public void OnView(RegionView view, uint ownSlot, NodeAddress senderControlAddress)
    {
        if (_context.View is { } old && old.Number.CompareTo(view.Number) >= 0)
        {
            return;
        }

        _context.View = view;
        _context.SetPosition(view.PositionOf(ownSlot));
        _context.Reports.OnView();
        _lastRound = 0;
        _leader.OnView(senderControlAddress);
    }

    /// <summary>
    /// A level or a rejection of this member changed. The leader starts a round; at other members the next token picks it up, and where
    /// none comes, the first of them lead themselves.
    /// </summary>
    public void OnChanged() => _leader.OnChanged();

    /// <summary>
    /// A stream of this member advanced by <paramref name="packets"/> packets. No caller waits for the stability of a single packet: the
    /// leader starts a round for it eventually, see <see cref="RingOptions.StreamPauseMinNs"/> and
    /// <see cref="RingOptions.RoundPacketsMax"/>.
    /// </summary>
    public void OnStreamProgress(ulong packets) => _leader.OnStreamProgress(packets);

    /// <summary>Processes the payload of a token frame, from the member that sealed it.</summary>
    public void OnTokenFrame(ReadOnlySpan<byte> payload, uint sealerSlot)
    {
        RingToken token = _context.Scratch;
        if (_context.View is null || RingTokenCodec.TryRead(payload, token) != DecodeStatus.Ok)
        {
            Counters.Refused++;
            return;
        }

        if (token.View != _context.ViewNumber)
        {
            // Also when this member is in no view yet: the one that takes it in is on its way, and the others have it.
            Counters.OtherViews++;
            return;
        }

        RegionPart part = _context.Part;
        int sealer = _context.View!.PositionOf(sealerSlot);
        int leader = _context.Position < 0 ? -1 : _context.LeaderOf(token.Round);
        bool isReturn = leader == _context.Position;
        int visited = isReturn ? part.End : _context.Position;
        bool isFromBefore = part.Contains(sealer) && (isReturn ? sealer > leader : sealer >= leader && sealer < _context.Position);
        bool isLeap = token.Round > _lastRound + RoundStepMax;
        if (leader < 0 || !isFromBefore || token.Visited != visited || !token.IsWithin(leader) || token.Round > _lastRound + RoundLeapMax
            || (isLeap && _context.Core.NowNs < _nextLeapNs))
        {
            Counters.Refused++;
            return;
        }

        _nextLeapNs = isLeap ? _context.Core.NowNs + LeapNs : _nextLeapNs;

        ulong newest = Math.Max(_lastRound, _leader.RoundUnderWay);
        bool isStale = token.Round < newest && !isReturn;
        if (isStale)
        {
            // Who sent it learns of the newer one: a leader that was away goes on above that.
            _context.Acknowledge(newest, 0, sealer);
        }

        if (!token.IsQuiet)
        {
            _context.Acknowledge(token.Round, token.Hop, sealer);
        }

        _leader.Holder.OnAlive(sealer);
        if (isStale || token.Round <= _lastRound)
        {
            // Still acknowledged, so that it is not sent to other members; discarded here.
            Counters.DuplicateTokens += token.Round == _lastRound ? 1 : 0;
            Counters.StaleTokens += token.Round == _lastRound ? 0 : 1;
            return;
        }

        _lastRound = token.Round;
        Counters.Hops++;
        if (isReturn)
        {
            Counters.StaleTokens += _leader.TryComplete(token) ? 0 : 1;
            return;
        }

        _leader.OnLed(token.Round);
        foreach (ref readonly RingTokenStream stream in token.Streams)
        {
            _context.RaiseFloor(stream.Origin, stream.Floor);
        }

        RingTokenVisit.Visit(token, _context.Position, _context.Contribution, _context.Reports);
        _leader.Holder.PassOn(token);
    }

    /// <summary>Processes the payload of a token acknowledgement, from the member that sealed it.</summary>
    public void OnTokenAckFrame(ReadOnlySpan<byte> payload, uint sealerSlot)
    {
        var reader = new WireReader(payload);
        ulong view = reader.ReadU64();
        ulong round = reader.ReadU64();
        ushort hop = reader.ReadU16();
        if (_context.Position < 0 || reader.End() != DecodeStatus.Ok)
        {
            Counters.Refused++;
            return;
        }

        int position = _context.View!.PositionOf(sealerSlot);
        if (view != _context.ViewNumber || position < 0)
        {
            Counters.OtherViews++;
            return;
        }

        _leader.Holder.OnAck(position, round, hop);
        if (!_context.Part.Contains(position) || round > _lastRound + RoundStepMax)
        {
            return;
        }

        if (!IsLeader)
        {
            _lastRound = Math.Max(_lastRound, round);
        }

        _leader.OnRoundSeen(round);
    }

    /// <summary>
    /// Processes the payload of an aggregate acknowledgement. The caller ensures that the sender sealed it, because its floors are trusted.
    /// </summary>
    public void OnAggregateAckFrame(ReadOnlySpan<byte> payload)
    {
        Span<(ulong Origin, ulong Floor)> floors = stackalloc (ulong, ulong)[AggregateAck.FloorsMax];
        if (_context.View is null
            || AggregateAck.TryRead(
                payload, floors, out ulong view, out ulong round, out int count, out AggregateRoute route) != DecodeStatus.Ok)
        {
            Counters.Refused++;
            return;
        }

        if (view != _context.ViewNumber)
        {
            // Of a round that this member led in the view before, in which it may have been first.
            Counters.OtherViews++;
            return;
        }

        if (!_context.MayLead)
        {
            Counters.Refused++;
            return;
        }

        _leader.Outbox.OnAck(round, route);
        foreach ((ulong origin, ulong floor) in floors[..count])
        {
            _context.RaiseFloor(origin, floor);
        }
    }

    /// <summary>
    /// Processes the payload of an aggregate frame, from the member that sealed it: the leader of another part, which tells through this
    /// one. Who does not gather drops it, and that leader tells it straight.
    /// </summary>
    public void OnAggregateFrame(ReadOnlySpan<byte> payload, uint sealerSlot)
    {
        int position = _context.View?.PositionOf(sealerSlot) ?? -1;
        if (position < 0 || _context.Position < 0 || _context.View!.PartOf(position).First != position)
        {
            Counters.Refused++;
            return;
        }

        _leader.Outbox.Gatherer.TryAdd(sealerSlot, payload);
    }

    /// <summary>Leaves the ring; makes no calls afterward.</summary>
    public void Dispose()
    {
        _context.SetPosition(-1);
        _leader.Cancel();
    }
}
