using Ripple.Engine.Core;

namespace Ripple.Engine.Streams;

/// <summary>
/// How fast packets leave, learned from what members report lost. Time is cut into rounds of at least twice the measured time from a packet
/// to the report of its loss; a round is judged when the next one has ended, so that its reports are in. Little loss while the pace was
/// what held the sender: faster. Much: down to what got through and somewhat less, and not again for what had left by then.
/// </summary>
/// <remarks>
/// A sink's policy that limits the rate (QSM 3, Fig. 13); QSM itself sends at a rate that is set. How the rate is found follows TCP:
/// doubled a round until the first loss (slow start, RFC 5681 3.1), then raised a little and cut by a factor, and cut once for what was
/// under way at one time (RFC 6582). As in multicast congestion control the worst member's loss counts (TFMCC, RFC 4654), but one member
/// cannot pull the others below a quarter of what they took, unless it fills the window: then they wait for it anyway. The shares and what
/// was rejected are in docs/design/streams.md, under Pace.
/// </remarks>
internal sealed class RateControl
{
    // Fewer packets say nothing: with 0.5 % of random loss the worst of 200 members stays below the threshold.
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
    private readonly RateLimiter _pace;
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
        _pace = new RateLimiter(options.PaceStartBytesPerSecond, options.PaceBurstBytes);
        _commonBytesPerSecond = options.PaceStartBytesPerSecond;
        _reportDelayNs = options.FirstRttNs;
        _current.First = 1;
    }

    public long BytesPerSecond => _pace.BytesPerSecond;

    /// <summary>How many times the rate was lowered.</summary>
    public long Cuts { get; private set; }

    /// <summary>When the next packet may leave.</summary>
    public long OpensAtNs => _pace.OpensAtNs;

    /// <summary>How many members may report.</summary>
    public int MemberCount { get; set; }

    private long RoundNs => Math.Clamp(2 * _reportDelayNs, RoundNsMin, RoundNsMax);

    public bool IsOpen(long nowNs)
    {
        bool isOpen = _pace.IsOpen(nowNs);
        _current.WasPaced |= !isOpen;
        return isOpen;
    }

    /// <summary>The window is full: not the pace holds the sender but its slowest member.</summary>
    public void OnWindowFull() => _current.WasWindowFull = true;

    /// <summary>The next packet left.</summary>
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

        _pace.Take(bytes, nowNs);
    }

    /// <summary>A member misses a packet. True when that is news.</summary>
    public bool OnLost(in NodeAddress member, ulong number, long nowNs)
    {
        if (_options.Breaks(PlantedStreamBugs.SlowByEveryRequest))
        {
            _pace.SetRate(Math.Max(_options.PaceMinBytesPerSecond, BytesPerSecond / 2), nowNs);
        }

        return number <= _sent && number > _settledUpTo && _reports.TryAdd(member, number, number < _current.First);
    }

    /// <summary>A packet's loss was reported so long after it left.</summary>
    public void OnReportDelay(in NodeAddress member, long delayNs)
    {
        _reportDelayNs += (delayNs - _reportDelayNs) / 8;
        _reports.AddDelay(member, delayNs);
    }

    /// <summary>How long the reports of a member take, from the packet on; 0 when it told of nothing lately.</summary>
    public long ReportDelayNsOf(in NodeAddress member) => _reports.DelayNsOf(member);

    private void EndRound(long nowNs)
    {
        bool isCut = _previous.Packets > 0 && TryJudge(nowNs);
        _previous = _current;
        _previous.Packets = (long)(_sent - _current.First + 1);
        if (isCut)
        {
            // What left before was too fast already.
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
        if (most * CutLossDivisor > packets && !_options.Breaks(PlantedStreamBugs.NeverSlow))
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
            _pace.SetRate(Math.Min(BytesPerSecond, Math.Max(floor, Lowered(most, packets))), nowNs);
            return true;
        }

        if (most * RaiseLossDivisor <= packets && _previous.WasPaced)
        {
            _pace.SetRate(Math.Min(BytesPerSecond + (BytesPerSecond >> NextRaiseShift()), _options.PaceMaxBytesPerSecond), nowNs);
            _commonBytesPerSecond = Math.Max(_commonBytesPerSecond, BytesPerSecond);
        }

        return false;
    }

    /// <summary>
    /// Doubled until the first cut. After it by a 32nd, and by more the longer that goes well: what took the rate down may be gone. While
    /// the window fills, what leaves between two stops fits into the members' buffers and says less: by a 32nd then.
    /// </summary>
    private int NextRaiseShift()
    {
        if (_previous.WasWindowFull)
        {
            return RaiseShift;
        }

        return _wasCut ? Math.Max(RaiseShiftMin, RaiseShift - (_raisesSinceCut++ / RoundsPerShift)) : 0;
    }

    /// <summary>Seven eighths of what got through, at least a quarter of what was sent.</summary>
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
