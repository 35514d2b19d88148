using System.Numerics;
using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Caching;

/// <summary>
/// Keeps packets of the host's stream for other members, and repairs those who ask: with the packet's own frames, sealed anew by this
/// member, to the asker alone. What it lacks it gives when it comes. Nothing depends on it: the sender has every packet until all have
/// it. Core thread.
/// </summary>
internal sealed class PeerRepairer : IUnicastFrameFeed, IDisposable
{
    private const int RecentMax = 256;
    private readonly CoreLoop _core;
    private readonly ulong _origin;
    private readonly CachingOptions _options;
    private readonly RegionOutput _output;
    private readonly PacketCache _cache;
    private readonly RepairQueue _queue;
    private readonly RateLimiter _limiter;
    private readonly Alarm _limiterAlarm;
    private (ulong Sequence, NodeAddress To)[] _waiting = [];
    private int _waitingCount;
    private ulong _floor;

    /// <summary>Makes the repairer of one member.</summary>
    /// <param name="core">The core.</param>
    /// <param name="origin">The incarnation of the stream's sender.</param>
    /// <param name="owners">Which blocks are kept here.</param>
    /// <param name="output">The region's output; not owned.</param>
    /// <param name="options">Sizes and times.</param>
    /// <param name="counters">What the node has done before; null to count from the start.</param>
    public PeerRepairer(
        CoreLoop core, ulong origin, CacheOwners owners, RegionOutput output, CachingOptions options, CachingCounters? counters = null)
    {
        Counters = counters ?? new CachingCounters();
        _core = core;
        _origin = origin;
        _options = options;
        _output = output;
        Owners = owners;
        _cache = new PacketCache(options.BytesMax);
        _queue = new RepairQueue(options.RepairsMax, RecentMax);
        _limiter = new RateLimiter(options.BytesPerSecond, options.BurstBytes);
        _limiterAlarm = new Alarm(Register);
    }

    /// <summary>Which blocks are kept here.</summary>
    public CacheOwners Owners { get; }

    /// <summary>Packets kept now.</summary>
    public int KeptCount => _cache.Count;

    /// <summary>Requests that wait for a packet that is not here yet.</summary>
    public int WaitingCount => _waitingCount;

    /// <summary>What was done so far.</summary>
    public CachingCounters Counters { get; }

    /// <summary>A packet that the host sealed was taken for the first time.</summary>
    public void OnPacket(ReadOnlySpan<byte> frames)
    {
        if (StreamPosition.Peek(frames, out StreamPosition position) != DecodeStatus.Ok
            || !Owners.IsOwner(position.Sequence / NakFrame.SequencesPerWord)
            || position.Sequence <= _floor)
        {
            return;
        }

        _cache.Add(position.Sequence, frames);
        for (int i = _waitingCount - 1; i >= 0; i--)
        {
            if (_waiting[i].Sequence == position.Sequence)
            {
                Queue(position.Sequence, _waiting[i].To);
                _waiting[i] = _waiting[--_waitingCount];
            }
        }
    }

    /// <summary>
    /// A member asks for packets of one block. False for a request that no member of this version makes: one that cannot be read, or of
    /// several blocks.
    /// </summary>
    /// <param name="slot">The slot of who asks.</param>
    /// <param name="payload">The frame.</param>
    /// <param name="receiver">The own receiver, which asks the sender for what is missing here, too.</param>
    public bool TryTakeNak(uint slot, ReadOnlySpan<byte> payload, StreamReceiver receiver)
    {
        Span<ulong> missing = stackalloc ulong[NakFrame.WordsMax];
        if (NakFrame.Read(payload, out ulong origin, out ulong start, missing, out int count) != DecodeStatus.Ok || count != 1)
        {
            return false;
        }

        if (origin != _origin || Owners.MemberOf(slot) is not { } asker)
        {
            // It is at another stream of the host, or in a view that this member has yet to hear of.
            return true;
        }

        Counters.Naks++;
        ulong lacking = 0;
        for (ulong word = missing[0]; word != 0; word &= word - 1)
        {
            int bit = BitOperations.TrailingZeroCount(word);
            ulong sequence = start + (ulong)bit;
            if (!_cache.Find(sequence).IsEmpty)
            {
                Counters.Hits++;
                Queue(sequence, asker.DataAddress);
            }
            else
            {
                Counters.Misses++;
                lacking |= 1UL << bit;
            }
        }

        if (lacking != 0 && Owners.IsOwner(start / NakFrame.SequencesPerWord))
        {
            Await(start, lacking, asker.DataAddress, receiver);
        }

        return true;
    }

    /// <summary>All members have everything up to the floor.</summary>
    public void OnFloor(ulong floor)
    {
        _floor = Math.Max(_floor, floor);
        _cache.Free(floor);
        for (int i = _waitingCount - 1; i >= 0; i--)
        {
            if (_waiting[i].Sequence <= floor)
            {
                _waiting[i] = _waiting[--_waitingCount];
            }
        }
    }

    /// <summary>
    /// What is kept may be false: a member may have sealed it in the host's name. It is forgotten, and who waits asks the sender.
    /// </summary>
    public void Forget()
    {
        _cache.Clear();
        _waitingCount = 0;
    }

    /// <summary>The stream goes on from where this member was made to skip ahead: a floor that it took from there does not hold.</summary>
    public void Restart()
    {
        Forget();
        _floor = 0;
    }

    /// <inheritdoc/>
    public int PullFrames(Span<byte> frames, out NodeAddress to)
    {
        long nowNs = _core.NowNs;
        if (_queue.Count > 0 && !_limiter.IsOpen(nowNs))
        {
            _core.Alarms.ScheduleNoLater(_limiterAlarm, _limiter.OpensAtNs);
            to = default;
            return 0;
        }

        while (_queue.TryTake(out ulong sequence, out to))
        {
            ReadOnlySpan<byte> kept = _cache.Find(sequence);
            if (!kept.IsEmpty)
            {
                kept.CopyTo(frames);
                _limiter.Take(kept.Length, nowNs);
                _queue.OnSent(sequence, to, nowNs);
                Counters.Repairs++;
                return kept.Length;
            }
        }

        return 0;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _output.Unregister(this);
        _core.Alarms.Cancel(_limiterAlarm);
    }

    private void Await(ulong start, ulong lacking, in NodeAddress to, StreamReceiver receiver)
    {
        ulong wanted = 0;
        for (ulong word = lacking; word != 0; word &= word - 1)
        {
            int bit = BitOperations.TrailingZeroCount(word);
            ulong sequence = start + (ulong)bit;
            // What is here already and not kept was kept too long ago: the sender has it.
            if (sequence > receiver.Contiguous && !IsAwaited(sequence, to) && _waitingCount < _options.WaitingMax)
            {
                _waiting = _waiting.Length == 0 ? new (ulong, NodeAddress)[_options.WaitingMax] : _waiting;
                _waiting[_waitingCount++] = (sequence, to);
                wanted |= 1UL << bit;
            }
        }

        receiver.OnWanted(start / NakFrame.SequencesPerWord, wanted);
    }

    private bool IsAwaited(ulong sequence, in NodeAddress to)
    {
        for (int i = 0; i < _waitingCount; i++)
        {
            if (_waiting[i].Sequence == sequence && _waiting[i].To == to)
            {
                return true;
            }
        }

        return false;
    }

    private void Queue(ulong sequence, in NodeAddress to)
    {
        if (!_queue.IsSuppressed(sequence, to, _core.NowNs - _options.SuppressNs) && _queue.TryAdd(sequence, to))
        {
            Register();
        }
        else
        {
            Counters.Refused++;
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
