using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// A member of a region's ring (QSM 2): passes tokens on, adds what it has, and leads the ring when it is the first of the view. Core
/// thread. Frames come opened: the seal proves that a member sent them, no more, so what a token says of positions is as honest as the
/// members it passed.
/// </summary>
internal sealed class RingMember : IDisposable
{
    /// <summary>How far a round may be ahead of the last one seen. A made-up round number must not shut out all that follow.</summary>
    private const ulong RoundLeapMax = 1UL << 32;

    /// <summary>The payload of an acknowledgement: view, round, hop.</summary>
    private const int AckBytes = sizeof(ulong) + sizeof(ulong) + sizeof(ushort);

    private readonly RingContext _context;
    private readonly RingLeader _leader;
    private ulong _lastRound;

    /// <summary>Makes a member of no ring; the first <see cref="OnView"/> makes it one.</summary>
    /// <param name="core">The core; three alarms.</param>
    /// <param name="output">Where frames leave. Must not call back before the call into this member returned.</param>
    /// <param name="contribution">What this member adds. Called from inside the calls below and from alarms.</param>
    /// <param name="options">Times.</param>
    public RingMember(CoreLoop core, IFrameSender output, IRingContribution contribution, RingOptions options)
    {
        ArgumentNullException.ThrowIfNull(core);
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(contribution);
        ArgumentNullException.ThrowIfNull(options);
        _context = new RingContext(core, output, contribution, options);
        _leader = new RingLeader(_context);
    }

    /// <summary>What this member has done.</summary>
    public RingCounters Counters => _context.Counters;

    /// <summary>True while this member starts the rounds.</summary>
    public bool IsLeader => _context.Position == 0;

    /// <summary>
    /// Enters a view. An older or equal one is ignored. What was held of the view before is dropped; the new leader starts at once.
    /// </summary>
    /// <param name="view">The view; a member that is not in it takes no part.</param>
    /// <param name="ownSlot">This member's slot.</param>
    /// <param name="senderControlAddress">Where aggregates go; the default value when there is no sender to tell.</param>
    public void OnView(RegionView view, uint ownSlot, NodeAddress senderControlAddress)
    {
        ArgumentNullException.ThrowIfNull(view);
        if (_context.View is { } old && old.Number.CompareTo(view.Number) >= 0)
        {
            return;
        }

        _context.View = view;
        _context.Position = view.PositionOf(ownSlot);
        _context.Reports.Clear();
        _lastRound = 0;
        _leader.OnView(senderControlAddress);
    }

    /// <summary>A level or a rejection of this member moved. At the leader a round starts; elsewhere the next token finds it.</summary>
    public void OnChanged()
    {
        if (IsLeader)
        {
            _leader.OnChanged();
        }
    }

    /// <summary>
    /// A stream of this member moved on by so many packets. Nobody waits for the proof of a packet: the leader starts a round for it sooner
    /// or later, see <see cref="RingOptions.StreamPauseMinNs"/> and <see cref="RingOptions.RoundPacketsMax"/>.
    /// </summary>
    public void OnStreamProgress(ulong packets)
    {
        if (IsLeader)
        {
            _leader.OnStreamProgress(packets);
        }
    }

    /// <summary>Takes the payload of a token frame, from the member that sealed it.</summary>
    public void OnTokenFrame(ReadOnlySpan<byte> payload, uint sealerSlot)
    {
        RingToken token = _context.Scratch;
        if (_context.Position < 0 || RingTokenCodec.TryRead(payload, token) != DecodeStatus.Ok)
        {
            Counters.Refused++;
            return;
        }

        if (token.View != _context.ViewNumber)
        {
            Counters.OtherViews++;
            return;
        }

        int sealer = _context.View!.PositionOf(sealerSlot);
        int visited = IsLeader ? _context.MemberCount : _context.Position;
        bool isFromBefore = sealer >= 0 && (IsLeader ? sealer > 0 : sealer < _context.Position);
        if (!isFromBefore || token.Visited != visited || token.Round > _lastRound + RoundLeapMax)
        {
            Counters.Refused++;
            return;
        }

        Acknowledge(token, sealer);
        _leader.Holder.OnAlive(sealer);
        if (token.Round <= _lastRound)
        {
            // Acknowledged all the same, so that it is not sent to others: it dies here.
            Counters.DuplicateTokens += token.Round == _lastRound ? 1 : 0;
            Counters.StaleTokens += token.Round < _lastRound ? 1 : 0;
            return;
        }

        _lastRound = token.Round;
        Counters.Hops++;
        if (IsLeader)
        {
            Counters.StaleTokens += _leader.TryComplete(token) ? 0 : 1;
            return;
        }

        foreach (ref readonly RingTokenStream stream in token.Streams)
        {
            _context.RaiseFloor(stream.Origin, stream.Floor);
        }

        RingTokenVisit.Visit(token, _context.Position, _context.Contribution, _context.Reports);
        _leader.Holder.PassOn(token);
    }

    /// <summary>Takes the payload of a token acknowledgement, from the member that sealed it.</summary>
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
    }

    /// <summary>
    /// Takes the payload of an aggregate acknowledgement. The caller has made sure that the sender sealed it: floors are believed.
    /// </summary>
    public void OnAggregateAckFrame(ReadOnlySpan<byte> payload)
    {
        Span<(ulong Origin, ulong Floor)> floors = stackalloc (ulong, ulong)[AggregateAck.FloorsMax];
        if (!IsLeader || AggregateAck.TryRead(payload, floors, out ulong view, out ulong round, out int count) != DecodeStatus.Ok)
        {
            Counters.Refused++;
            return;
        }

        if (view != _context.ViewNumber)
        {
            Counters.OtherViews++;
            return;
        }

        _leader.Outbox.OnAck(round);
        foreach ((ulong origin, ulong floor) in floors[..count])
        {
            _context.RaiseFloor(origin, floor);
        }
    }

    /// <summary>Leaves the ring; nothing is called after.</summary>
    public void Dispose()
    {
        _context.Position = -1;
        _leader.Cancel();
    }

    private void Acknowledge(RingToken token, int sealer)
    {
        Span<byte> frames = stackalloc byte[FrameReader.HeaderBytes + AckBytes];
        var writer = new WireWriter(frames);
        int start = FrameWriter.Begin(ref writer, FrameType.TokenAck);
        writer.WriteU64(token.View);
        writer.WriteU64(token.Round);
        writer.WriteU16(token.Hop);
        if (FrameWriter.End(ref writer, start))
        {
            // When the queue is full it is as if lost: the token comes again.
            _ = _context.Output.TrySend(_context.AddressOf(sealer), PacketClass.Control, writer.Written);
        }
    }
}
