using System.Numerics;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// Answers requests for repair from a sender's window; a repair is the packet's original frames, sealed anew, to one member.
/// </summary>
internal sealed class StreamRepairer : IUnicastFrameFeed, IDisposable
{
    // A lost repair is not withheld longer than this, however late the member's reports are.
    private const long SuppressNsMax = 100_000_000;
    // Twice as many as wait by default.
    internal const int RecentMax = 2_048;
    private readonly CoreLoop _core;
    private readonly StreamOptions _options;
    private readonly StreamSender _sender;
    private readonly SendWindow _window;
    private readonly RegionOutput _output;
    private readonly RepairQueue _queue;
    private readonly Alarm _limiterAlarm;
    private readonly RateControl _rate;
    private readonly RateLimiter _limiter;
    private readonly RepairPaces _paces;

    public StreamRepairer(
        CoreLoop core, StreamSender sender, SendWindow window, RateControl rate, RegionOutput output, StreamOptions options)
    {
        _core = core;
        _options = options;
        _sender = sender;
        _window = window;
        _output = output;
        _queue = new RepairQueue(options.RepairsMax, RecentMax);
        _rate = rate;
        _limiter = new RateLimiter(rate.BytesPerSecond, options.PaceBurstBytes);
        _paces = new RepairPaces(options);
        _limiterAlarm = new Alarm(Register);
    }

    /// <summary>The packets that wait to be sent again.</summary>
    public int WaitingCount => _queue.Count;

    public void OnNak(in NodeAddress dataAddress, in NodeAddress controlAddress, ReadOnlySpan<byte> payload)
    {
        Span<ulong> missing = stackalloc ulong[NakFrame.WordsMax];
        if (NakFrame.Read(payload, out ulong origin, out ulong start, missing, out int count) != DecodeStatus.Ok
            || origin != _sender.Origin)
        {
            _sender.Counters.NaksMalformed++;
            return;
        }

        _sender.Counters.Naks++;
        // A member cannot notice the loss of a repair sooner than it reports the loss of a packet.
        long suppressNs = Math.Max(_options.RepairSuppressNs, Math.Min(_rate.ReportDelayNsOf(dataAddress), SuppressNsMax));
        ulong newestLost = 0;
        LostRepairs lost = default;
        bool isTooOld = false;
        bool isUnsent = false;
        for (int i = 0; i < count; i++)
        {
            // Each bit is read once and requests one packet: a request costs one pass over the window at most, whatever it contains.
            for (ulong word = missing[i]; word != 0; word &= word - 1)
            {
                ulong sequence = start + ((ulong)i * NakFrame.SequencesPerWord) + (ulong)BitOperations.TrailingZeroCount(word);
                isTooOld |= sequence <= _window.Floor;
                isUnsent |= sequence > _window.Highest;
                if (_window.Contains(sequence))
                {
                    newestLost = _rate.OnLost(dataAddress, sequence) ? sequence : newestLost;
                    Add(sequence, dataAddress, suppressNs, ref lost);
                }
            }
        }

        if (lost.Count > 0)
        {
            _paces.OnLost(dataAddress, lost, _rate.BytesPerSecond, _core.NowNs);
        }

        if (newestLost > 0)
        {
            _rate.OnReportDelay(dataAddress, _core.NowNs - _window.SentNs(newestLost));
        }

        _sender.Counters.NaksUnsent += isUnsent ? 1 : 0;
        if (isTooOld)
        {
            _sender.Counters.NaksTooOld++;
            _sender.SendBeacon(controlAddress);
        }

        Register();
    }

    /// <inheritdoc cref="StreamSender.OnReached"/>
    public void OnReached(in NodeAddress dataAddress, in NodeAddress controlAddress, ulong firstSequence)
    {
        if (firstSequence <= _window.Floor)
        {
            _sender.SendBeacon(controlAddress);
        }

        LostRepairs none = default;
        ulong sequence = Math.Max(firstSequence, _window.Floor + 1);
        for (int i = 0; i < _options.RepairsMax && sequence <= _window.Highest; i++)
        {
            Add(sequence++, dataAddress, _options.RepairSuppressNs, ref none);
        }

        Register();
    }

    public int PullFrames(Span<byte> frames, out NodeAddress to)
    {
        long nowNs = _core.NowNs;
        // Members that lose packets at the stream's rate would lose repairs at a higher one.
        _limiter.SetRate(_rate.BytesPerSecond, nowNs);
        if (_queue.Count > 0 && !_limiter.IsOpen(nowNs))
        {
            _core.Alarms.ScheduleNoLater(_limiterAlarm, _limiter.OpensAtNs);
            to = default;
            return 0;
        }

        long opensAtNs = long.MaxValue;
        for (int closed = 0; closed < _queue.MemberCount;)
        {
            if (!_paces.IsOpen(_queue.Next, nowNs, ref opensAtNs))
            {
                _queue.Pass();
                closed++;
                continue;
            }

            _queue.TryTake(out ulong sequence, out to);
            if (_window.Contains(sequence))
            {
                ReadOnlySpan<byte> kept = _window[sequence];
                kept.CopyTo(frames);
                _limiter.Take(kept.Length, nowNs);
                _queue.OnSent(sequence, to, nowNs, _paces.OnSent(to, kept.Length, nowNs));
                _sender.Counters.Repairs++;
                return kept.Length;
            }

            // It is owed no more. Turns have moved on: who is closed is passed again, and must not count twice.
            closed = 0;
        }

        if (_queue.Count > 0)
        {
            _core.Alarms.ScheduleNoLater(_limiterAlarm, opensAtNs);
        }

        to = default;
        return 0;
    }

    public void Dispose()
    {
        _output.Unregister(this);
        _core.Alarms.Cancel(_limiterAlarm);
    }

    private void Add(ulong sequence, in NodeAddress to, long suppressNs, ref LostRepairs lost)
    {
        long nowNs = _core.NowNs;
        if (_queue.IsSuppressed(sequence, to, nowNs - suppressNs))
        {
            _sender.Counters.RepairsSuppressed++;
            return;
        }

        if (_queue.TryGetSent(sequence, to, out ulong number, out long sentNs))
        {
            lost.Add(number, sentNs);
        }

        if (_queue.TryAdd(sequence, to))
        {
            _sender.Counters.RepairsQueued++;
        }
        else
        {
            _sender.Counters.RepairsRefused++;
        }
    }

    private void Register()
    {
        if (_queue.Count > 0)
        {
            _output.RegisterRepairs(this);
        }
    }
}
