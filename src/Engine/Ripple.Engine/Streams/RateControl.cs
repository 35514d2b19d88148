using Ripple.Engine.Core;

namespace Ripple.Engine.Streams;

/// <summary>
/// Controls the send rate by the losses that members report. Time is divided into rounds of at least twice the measured delay from a packet
/// to the report of its loss; a round is judged when the next one has ended, so that its reports have arrived. After little loss in a round
/// that the pace limited, the rate rises. After much loss it falls to somewhat less than what got through, and losses of packets sent
/// before the cut do not lower it again.
/// </summary>
/// <remarks>
/// A sink's policy that limits the rate (QSM 3, Fig. 13); QSM itself sends at a configured rate. The search for the rate follows TCP:
/// doubled per round until the first cut (slow start, RFC 5681 3.1), then raised in small steps and cut by a factor, only once for all
/// packets under way at one time (RFC 6582). As in multicast congestion control, the worst member's loss counts (TFMCC, RFC 4654), but one
/// member cannot pull the others below a quarter of what they took, unless it fills the window: then they wait for it anyway. The factors
/// and the rejected alternatives are in docs/design/streams.md, under Pace.
/// </remarks>
internal sealed class RateControl
{
    // Fewer packets are not significant: with 0.5 % of random loss the worst of 200 members stays below the threshold.
    private const ulong RoundPacketsMin = 256;
    private const long RoundNsMin = 1_000_000;
    private const long RoundNsMax = 200_000_000;
    private const int RaiseLossDivisor = 64;
    private const int CutLossDivisor = 32;
    private const int RaiseShift = 5;
    private const int RaiseShiftMin = 2;
    private const int RoundsPerShift = 8;
    private const int LoneShareDivisor = 4;
    private readonly LossReports _reports = new();
    private readonly StreamOptions _options;
    private readonly RateLimiter _limiter;
    private ulong _sent;
    private ulong _settledUpTo;
    private Round _current;
    private Round _previous;
    private long _commonBytesPerSecond;
    private long _reportDelayNs;
    private int _raisesSinceCut;
    private bool _wasCut;

    /// <summary>Makes one that has sent nothing.</summary>
    /// <param name="options">Rates.</param>
    public RateControl(StreamOptions options)
    {
        _options = options;
        _limiter = new RateLimiter(options.PaceStartBytesPerSecond, options.PaceBurstBytes);
        _commonBytesPerSecond = options.PaceStartBytesPerSecond;
        _reportDelayNs = options.FirstRttNs;
        _current.First = 1;
    }

    public long BytesPerSecond => _limiter.BytesPerSecond;

    /// <summary>How many times the rate was lowered.</summary>
    public long Cuts { get; private set; }

    /// <summary>When the next packet may leave.</summary>
    public long OpensAtNs => _limiter.OpensAtNs;

    /// <summary>How many members may report.</summary>
    public int MemberCount { get; set; }

    private long RoundNs => Math.Clamp(2 * _reportDelayNs, RoundNsMin, RoundNsMax);

    public bool IsOpen(long nowNs)
    {
        bool isOpen = _limiter.IsOpen(nowNs);
        _current.WasPaced |= !isOpen;
        return isOpen;
    }

    /// <summary>The window is full: the slowest member limits the sender, not the pace.</summary>
    public void OnWindowFull() => _current.WasWindowFull = true;

    /// <summary>The next packet was sent.</summary>
    public void OnSent(int bytes, long nowNs)
    {
        if (_sent - _current.First + 1 >= RoundPacketsMin && nowNs - _current.StartNs >= RoundNs)
        {
            EndRound(nowNs);
        }

        _sent++;
        if (_sent == _current.First)
        {
            _current.StartNs = nowNs;
        }

        _limiter.Take(bytes, nowNs);
    }

    /// <summary>A member reported a lost packet. True when the report is new.</summary>
    public bool OnLost(in NodeAddress member, ulong number) =>
        number <= _sent && number > _settledUpTo && _reports.TryAdd(member, number, number < _current.First);

    /// <summary>Adds a measured delay from a packet's departure to a member's report of its loss.</summary>
    public void OnReportDelay(in NodeAddress member, long delayNs)
    {
        _reportDelayNs += (delayNs - _reportDelayNs) / 8;
        _reports.AddDelay(member, delayNs);
    }

    /// <summary>
    /// The smoothed delay from a packet's departure to a member's report of its loss, in nanoseconds; 0 when it reported nothing recently.
    /// </summary>
    public long ReportDelayNsOf(in NodeAddress member) => _reports.DelayNsOf(member);

    private void EndRound(long nowNs)
    {
        bool isCut = _previous.Packets > 0 && TryJudge(nowNs);
        _previous = _current;
        _previous.Packets = (long)(_sent - _current.First + 1);
        if (isCut)
        {
            // Packets sent before the cut were too fast already: their losses do not count again.
            _settledUpTo = _sent;
            _previous = default;
        }

        _reports.Shift(forget: isCut);
        _current = new Round { First = _sent + 1, StartNs = nowNs };
    }

    private bool TryJudge(long nowNs)
    {
        long packets = _previous.Packets;
        (int most, int second) = _reports.OfPrevious();
        if (most * CutLossDivisor > packets)
        {
            long floor = _options.PaceMinBytesPerSecond;
            if (second * CutLossDivisor > packets)
            {
                _commonBytesPerSecond = Math.Max(floor, Math.Min(_commonBytesPerSecond, Lowered(second, packets)));
            }

            if (MemberCount > 1 && !_previous.WasWindowFull)
            {
                floor = Math.Max(floor, _commonBytesPerSecond / LoneShareDivisor);
            }

            Cuts++;
            _wasCut = true;
            _raisesSinceCut = 0;
            _limiter.SetRate(Math.Min(BytesPerSecond, Math.Max(floor, Lowered(most, packets))), nowNs);
            return true;
        }

        if (most * RaiseLossDivisor <= packets && _previous.WasPaced)
        {
            _limiter.SetRate(Math.Min(BytesPerSecond + (BytesPerSecond >> NextRaiseShift()), _options.PaceMaxBytesPerSecond), nowNs);
            _commonBytesPerSecond = Math.Max(_commonBytesPerSecond, BytesPerSecond);
        }

        return false;
    }

    /// <summary>
    /// The rate rises by itself shifted right by this: 0, which doubles it, until the first cut. After that by a 32nd, and by more the
    /// longer no cut follows, because the cause of the cut may be gone. While the window fills, always by a 32nd: the packets between two
    /// stops fit into the members' buffers and prove less.
    /// </summary>
    private int NextRaiseShift()
    {
        if (_previous.WasWindowFull)
        {
            return RaiseShift;
        }

        return _wasCut ? Math.Max(RaiseShiftMin, RaiseShift - (_raisesSinceCut++ / RoundsPerShift)) : 0;
    }

    /// <summary>Seven eighths of the rate that got through, at least a quarter of the current rate.</summary>
    private long Lowered(int lost, long packets)
    {
        long arrived = BytesPerSecond / packets * Math.Max(0, packets - lost);
        return Math.Max(BytesPerSecond / 4, arrived / 8 * 7);
    }

    private struct Round
    {
        public ulong First;
        public long StartNs;
        public long Packets;
        public bool WasPaced;
        public bool WasWindowFull;
    }
}
