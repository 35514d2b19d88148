using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// Passes a token on: keeps it until the next member acknowledges it, sends it again, and skips members that do not answer. A quiet one is
/// sent once.
/// </summary>
internal sealed class RingTokenHolder
{
    private const int NoTarget = -1;
    private readonly RingContext _context;
    private readonly Action<RingToken> _onReturned;
    private readonly Alarm _alarm;
    private readonly RttEstimator _rtt;
    private readonly SilentBackoff _silent;
    private readonly byte[] _frames;
    private int _frameBytes;
    private int _target = NoTarget;
    private bool _isReturn;
    private bool _isQuiet;
    private ulong _round;
    private ushort _hop;
    private int _tries;
    private long _sentNs;
    private long _dueNs;
    private long _unreadSinceNs;

    /// <param name="context">The shared state.</param>
    /// <param name="onReturned">Receives a token that has no member to go to except this one, its leader.</param>
    public RingTokenHolder(RingContext context, Action<RingToken> onReturned)
    {
        _context = context;
        _frames = new byte[context.Output.FramesBytesMax];
        _onReturned = onReturned;
        _alarm = new Alarm(OnAlarm);
        _rtt = new RttEstimator(context.Options);
        _silent = new SilentBackoff(context.Options);
    }

    public void OnView()
    {
        Drop();
        _silent.Clear();
    }

    /// <summary>Releases the held token: a newer one replaces it, or it is acknowledged.</summary>
    public void Drop()
    {
        _target = NoTarget;
        _context.Core.Alarms.Cancel(_alarm);
    }

    /// <summary>A position showed a sign of life.</summary>
    public void OnAlive(int position) => _silent.Forget(position);

    public void PassOn(RingToken token)
    {
        Drop();
        while (!token.IsQuiet && token.Visited < _context.Part.End && _silent.IsSkipped(token.Visited, _context.Core.NowNs))
        {
            RingTokenVisit.MarkSilent(token);
        }

        int leader = _context.LeaderOf(token.Round);
        if (token.Visited == _context.Part.End && _context.Position == leader)
        {
            _onReturned(token);
            return;
        }

        token.Hop++;
        _frameBytes = RingContext.WriteFrame(token, FrameType.Token, _frames);
        if (_frameBytes == 0)
        {
            // Only a forged token can be that full: it is discarded.
            _context.Counters.Refused++;
            return;
        }

        _isReturn = token.Visited == _context.Part.End;
        _target = _isReturn ? leader : token.Visited;
        _isQuiet = token.IsQuiet;
        _round = token.Round;
        _hop = token.Hop;
        _tries = 0;
        Transmit();
    }

    public void OnAck(int position, ulong round, ushort hop)
    {
        OnAlive(position);
        if (position != _target || round != _round || hop != _hop)
        {
            return;
        }

        // What came too late lay unread here, and says nothing of the way.
        if (_tries == 1 && _context.Core.NowNs <= _dueNs)
        {
            _rtt.Sample(_context.Core.NowNs - _sentNs);
        }

        Drop();
    }

    private void Transmit()
    {
        if (!_context.Output.TrySend(_context.AddressOf(_target), PacketClass.Control, _frames.AsSpan(0, _frameBytes)))
        {
            // Not counted as a try: this member's queue is full; the other member is not silent.
            _context.Core.ScheduleIn(_alarm, _context.Options.RtoMinNs);
            return;
        }

        if (_isQuiet)
        {
            Drop();
            return;
        }

        _sentNs = _context.Core.NowNs;
        _dueNs = _sentNs + _rtt.RtoOfTry(_tries);
        _unreadSinceNs = _tries == 0 ? long.MaxValue : _unreadSinceNs;
        _context.Core.Alarms.Schedule(_alarm, _dueNs);
        _tries++;
    }

    private void OnAlarm()
    {
        if (_tries > 0 && _context.TryAwaitUnread(_alarm, _dueNs, ref _unreadSinceNs))
        {
            return;
        }

        if (_tries < _context.Options.TriesMax)
        {
            _context.Counters.Retransmits += _tries > 0 ? 1 : 0;
            Transmit();
            return;
        }

        if (_isReturn)
        {
            // A leader that does not answer starts no other round: another leads when something changes.
            Drop();
            return;
        }

        _context.Counters.Skips++;
        _silent.Remember(_target, _context.Core.NowNs);
        RingToken token = _context.Scratch;
        if (RingTokenCodec.TryRead(
            _frames.AsSpan(FrameReader.HeaderBytes, _frameBytes - FrameReader.HeaderBytes), token) == DecodeStatus.Ok)
        {
            RingTokenVisit.MarkSilent(token);
            PassOn(token);
        }
    }
}
