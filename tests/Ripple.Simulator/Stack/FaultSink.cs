using Ripple.Engine.Core;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Stack;

/// <summary>
/// A layer between feeds and a lower sink that loses, copies, delays and reorders datagrams: a bad network, on real sockets as well as in
/// tests. Core thread; disposed of after its feeds and before the lower sink.
/// </summary>
internal sealed class FaultSink : IDatagramSink, IDatagramFeed, IDisposable
{
    /// <summary>The most datagrams held at one time; nothing is pulled from above without room for another train and its copies.</summary>
    public const int HeldMax = 1_024;

    // Each packet of a train, and its copy.
    private const int HeldPerPull = 2 * WireLimits.TrainPacketsMax;

    // A policy that drops everything must not keep the core inside one call.
    private const int PullsMax = 256;

    private readonly CoreLoop _core;
    private readonly IDatagramSink _lower;
    private readonly DeterministicRandom _random;
    private readonly FeedQueue _feeds = new();
    private readonly HoldQueue _held = new(HeldMax);
    private readonly Alarm _alarm;
    private PacketClass _lastClass = PacketClass.Data;

    /// <summary>Creates a layer with a policy.</summary>
    /// <param name="core">The core on which all calls are made.</param>
    /// <param name="lower">The destination of datagrams; not owned.</param>
    /// <param name="random">The source of randomness, so that runs are reproducible.</param>
    /// <param name="policy">The faults.</param>
    public FaultSink(CoreLoop core, IDatagramSink lower, DeterministicRandom random, FaultPolicy policy)
    {
        ArgumentNullException.ThrowIfNull(core);
        ArgumentNullException.ThrowIfNull(lower);
        ArgumentNullException.ThrowIfNull(random);
        ArgumentNullException.ThrowIfNull(policy);
        _core = core;
        _lower = lower;
        _random = random;
        Policy = policy;
        _alarm = new Alarm(() => _lower.Register(this, _lastClass));
    }

    /// <summary>The faults from the next datagram on. Datagrams already held keep their time.</summary>
    public FaultPolicy Policy { get; set; }

    /// <summary>Counts of faults.</summary>
    public FaultSinkCounters Counters { get; } = new();

    /// <inheritdoc/>
    public void Register(IDatagramFeed feed, PacketClass packetClass)
    {
        _feeds.Add(feed, packetClass);
        _lastClass = packetClass;
        _lower.Register(this, packetClass);
    }

    /// <inheritdoc/>
    public void Unregister(IDatagramFeed feed) => _feeds.Remove(feed);

    /// <inheritdoc/>
    public bool TryPull(ref DatagramSlot slot)
    {
        while (_held.TryTake(_core.NowNs, slot.Scratch, out NodeAddress to, out int length))
        {
            if (IsCut(to))
            {
                continue;
            }

            slot.To = to;
            slot.Bytes = slot.Scratch[..length];
            Counters.Passed++;
            return true;
        }

        for (int i = 0; i < PullsMax; i++)
        {
            if (_held.FreeCount < HeldPerPull)
            {
                break;
            }

            slot.PacketBytes = 0;
            if (!_feeds.TryPull(ref slot))
            {
                WaitForHeld();
                return false;
            }

            if (TryPass(ref slot))
            {
                return true;
            }
        }

        // There may be more to pull: schedule another pull without prolonging this turn.
        _core.Alarms.ScheduleNoLater(_alarm, _held.FreeCount < HeldPerPull ? _held.NextDueNs : _core.NowNs + 1);
        return false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _core.Alarms.Cancel(_alarm);
        _lower.Unregister(this);
    }

    /// <summary>Decides the fate of each pulled packet; true when some leave now.</summary>
    private bool TryPass(ref DatagramSlot slot)
    {
        if (IsCut(slot.To))
        {
            return false;
        }

        ReadOnlySpan<byte> bytes = slot.Bytes;
        int packetBytes = slot.IsTrain ? slot.PacketBytes : bytes.Length;
        int kept = 0;
        bool isWhole = true;
        for (int offset = 0; offset < bytes.Length; offset += packetBytes)
        {
            ReadOnlySpan<byte> packet = bytes.Slice(offset, Math.Min(packetBytes, bytes.Length - offset));
            if (!TryPass(packet, slot.To))
            {
                if (isWhole)
                {
                    // The bytes may belong to the feed, which may send them to others too.
                    bytes[..offset].CopyTo(slot.Scratch);
                    isWhole = false;
                }

                continue;
            }

            Counters.Passed++;
            if (!isWhole)
            {
                packet.CopyTo(slot.Scratch[kept..]);
            }

            kept += packet.Length;
        }

        slot.Bytes = isWhole ? bytes : slot.Scratch[..kept];
        return kept > 0;
    }

    /// <summary>Decides the fate of one packet; true when it leaves now.</summary>
    private bool TryPass(ReadOnlySpan<byte> packet, in NodeAddress to)
    {
        FaultPolicy policy = Policy;
        if (_random.NextBool(policy.DropProbability))
        {
            Counters.Dropped++;
            return false;
        }

        if (_random.NextBool(policy.DuplicateProbability))
        {
            Counters.Duplicated++;
            _held.Add(to, packet, _core.NowNs + NextDelayNs(policy));
        }

        long delayNs = NextDelayNs(policy);
        if (_random.NextBool(policy.ReorderProbability))
        {
            Counters.Reordered++;
            delayNs += 1 + _random.NextInt64(policy.ReorderNsMax);
        }

        if (delayNs == 0)
        {
            WaitForHeld();
            return true;
        }

        Counters.Delayed++;
        _held.Add(to, packet, _core.NowNs + delayNs);
        WaitForHeld();
        return false;
    }

    private bool IsCut(in NodeAddress to)
    {
        if (Policy.IsPartitioned is not { } isPartitioned || !isPartitioned(to))
        {
            return false;
        }

        Counters.Partitioned++;
        return true;
    }

    private long NextDelayNs(FaultPolicy policy) =>
        policy.DelayNsMin + _random.NextInt64(Math.Max(0, policy.DelayNsMax - policy.DelayNsMin) + 1);

    private void WaitForHeld()
    {
        if (_held.NextDueNs != long.MaxValue)
        {
            _core.Alarms.ScheduleNoLater(_alarm, _held.NextDueNs);
        }
    }
}
