using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// The leader's report to the sender: the newest finished round, sent until it is acknowledged or a newer one replaces it. The first time
/// it goes through the leader that gathers, if the sender asked for that; each repeat goes straight.
/// </summary>
internal sealed class AggregateOutbox
{
    private const int HistoryCount = 8;

    /// <summary>After so many first tries in a row that brought no acknowledgement it goes straight until the view changes.</summary>
    private const int UngatheredMax = 2;

    private readonly RingContext _context;
    private readonly Alarm _alarm;
    private readonly RttEstimator _rtt;
    private readonly byte[] _frames;
    private readonly ulong[] _rounds = new ulong[HistoryCount];
    private readonly int[] _silentCounts = new int[HistoryCount];
    private readonly ushort[] _silent = new ushort[HistoryCount * RingLimits.ConfirmedSilentMax];
    private readonly ushort[] _confirmedSilent = new ushort[RingLimits.ConfirmedSilentMax];
    private readonly AggregateGatherer _gatherer;
    private AggregateRoute _route;
    private bool _isGathered;
    private int _ungathered;
    private ulong _repeated;
    private int _confirmedSilentCount;
    private int _frameBytes;
    private NodeAddress _to;
    private ulong _round;
    private ulong _transmissions;
    private int _tries;
    private long _sentNs;
    private long _dueNs;
    private long _unreadSinceNs;

    public AggregateOutbox(RingContext context)
    {
        _context = context;
        _frames = new byte[context.Output.FramesBytesMax];
        _alarm = new Alarm(OnAlarm);
        _rtt = new RttEstimator(context.Options);
        _gatherer = new AggregateGatherer(context);
    }

    /// <summary>What this member puts together for other leaders.</summary>
    public AggregateGatherer Gatherer => _gatherer;

    /// <summary>The newest round that the sender acknowledged; 0 for none.</summary>
    public ulong Confirmed { get; private set; }

    /// <summary>The positions that were silent in that round.</summary>
    public ReadOnlySpan<ushort> ConfirmedSilent => _confirmedSilent.AsSpan(0, _confirmedSilentCount);

    public void OnView(NodeAddress senderControlAddress)
    {
        Cancel();
        _gatherer.OnView(senderControlAddress);
        _route = default;
        _ungathered = 0;
        _repeated = 0;
        _to = senderControlAddress;
        _round = 0;
        Array.Clear(_rounds);
        Confirmed = 0;
        _confirmedSilentCount = 0;
    }

    public void Cancel()
    {
        _context.Core.Alarms.Cancel(_alarm);
        _gatherer.Cancel();
    }

    public void Send(RingToken token)
    {
        _frameBytes = _to.IsNone ? 0 : RingContext.WriteFrame(token, FrameType.Aggregate, _frames);
        if (_frameBytes == 0)
        {
            return;
        }

        // One that a newer round overtakes may have been lost as well as one that is repeated.
        _ungathered += _alarm.IsScheduled && _isGathered ? 1 : 0;
        _round = token.Round;
        _tries = 0;
        if (token.SilentTotal <= RingLimits.ConfirmedSilentMax)
        {
            int index = IndexOf(_round);
            _rounds[index] = _round;
            _silentCounts[index] = token.Silent.Length;
            token.Silent.CopyTo(_silent.AsSpan(index * RingLimits.ConfirmedSilentMax));
        }

        _context.Counters.AggregatesSent++;
        Transmit();
    }

    /// <summary>The sender has a round.</summary>
    /// <param name="round">The round.</param>
    /// <param name="route">Which way it asks for the next.</param>
    public void OnAck(ulong round, AggregateRoute route)
    {
        int index = IndexOf(round);
        if (round > Confirmed && _rounds[index] == round)
        {
            Confirmed = round;
            _confirmedSilentCount = _silentCounts[index];
            _silent.AsSpan(index * RingLimits.ConfirmedSilentMax, _confirmedSilentCount).CopyTo(_confirmedSilent);
        }

        if (round != _repeated && _ungathered < UngatheredMax)
        {
            _ungathered = 0;
        }

        if (round != _round)
        {
            return;
        }

        if (_tries == 1 && _alarm.IsScheduled && _context.Core.NowNs <= _dueNs)
        {
            _rtt.Sample(_context.Core.NowNs - _sentNs);
        }

        _context.Core.Alarms.Cancel(_alarm);
        _route = route;
        _gatherer.Parts = _route.Through == _context.SlotOf(_context.Position) ? _route.Parts : 0;
    }

    private int IndexOf(ulong round) => (int)(round / RoundNumber.StepOf(_context.View!) % HistoryCount);

    private void Transmit()
    {
        // Proved anew each time, also over views: the sender believes no transmission twice, and one that it missed may be lost.
        Span<byte> payload = _frames.AsSpan(FrameReader.HeaderBytes, _frameBytes - FrameReader.HeaderBytes);
        AggregateProof.Write(payload, _context.Key, ++_transmissions);
        if (_tries > 0)
        {
            _ungathered += _isGathered ? 1 : 0;
            _repeated = _round;
        }

        _isGathered = _tries == 0 && _ungathered < UngatheredMax && TryGather(payload);
        bool isSent = _isGathered || _context.Output.TrySend(_to, PacketClass.Control, _frames.AsSpan(0, _frameBytes));
        if (isSent)
        {
            _context.Counters.Retransmits += _tries > 0 ? 1 : 0;
            _sentNs = _context.Core.NowNs;
            _tries = Math.Min(_tries + 1, 16);
        }

        // Who gathers waits for the others, as long as this member would.
        long gatherNs = _isGathered ? _gatherer.WaitNs : 0;
        long delayNs = _rtt.RtoOfTry(Math.Max(0, _tries - 1)) + gatherNs;
        // Nothing answers what was not sent.
        _dueNs = isSent ? _context.Core.NowNs + delayNs : long.MinValue;
        _unreadSinceNs = long.MaxValue;
        _context.Core.ScheduleIn(_alarm, delayNs);
    }

    private void OnAlarm()
    {
        if (!_context.TryAwaitUnread(_alarm, _dueNs, ref _unreadSinceNs))
        {
            Transmit();
        }
    }

    /// <summary>Gives it to the leader that gathers. False if nobody does, or can: then it goes straight.</summary>
    private bool TryGather(ReadOnlySpan<byte> payload)
    {
        if (_route.Through == 0)
        {
            return false;
        }

        uint own = _context.SlotOf(_context.Position);
        if (_route.Through == own)
        {
            return _gatherer.TryAdd(own, payload);
        }

        int position = _context.View!.PositionOf(_route.Through);
        return position >= 0
            && AggregateGatherer.Fits(payload.Length, _context.Output.FramesBytesMax)
            && _context.Output.TrySend(_context.AddressOf(position), PacketClass.Control, _frames.AsSpan(0, _frameBytes));
    }
}
