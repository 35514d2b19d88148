using Ripple.Engine.Core;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// What the flood must obey: nothing arrives that was not sent, nothing more often than the network made copies of it, reports in order,
/// and in the end everybody lives.
/// </summary>
internal sealed class FloodChecker : IChecker
{
    public const string CheckerName = "Flood";
    private const long LiveNs = 5_000_000_000;
    private readonly SimulatedWorld _world;
    private readonly NodeAddress[] _addresses;
    private readonly long[] _lastReportNs;
    private readonly Dictionary<ulong, ulong> _sent = [];
    private readonly Dictionary<ulong, List<byte>> _received = [];
    private long _repeatedCount;

    public FloodChecker(SimulatedWorld world, int nodeCount)
    {
        _world = world;
        _addresses = new NodeAddress[nodeCount];
        _lastReportNs = new long[nodeCount];
        world.Add(this);
    }

    public string Name => CheckerName;

    public int NodeCount => _addresses.Length;

    public long SentCount { get; private set; }

    /// <summary>How many different datagrams arrived.</summary>
    public long ReceivedCount { get; private set; }

    /// <summary>Names one process of one machine.</summary>
    public static ulong KeyOf(SimulatedMachine machine) => ((ulong)machine.Index << 32) | (uint)machine.StartCount;

    /// <summary>A number with a check, so that a flipped bit is seen.</summary>
    public static ulong Sealed(ulong key, ulong number) => (number << 32) | (Check(key, number) >> 32);

    public static bool TryOpen(ulong key, ulong text, out ulong number)
    {
        number = text >> 32;
        return (text & 0xFFFF_FFFF) == Check(key, number) >> 32;
    }

    public NodeAddress AddressOf(int node) => _addresses[node];

    public void SetAddress(SimulatedMachine machine, NodeAddress address) => _addresses[machine.Index - 1] = address;

    public ulong NextNumber(ulong key)
    {
        SentCount++;
        return _sent[key] = _sent.GetValueOrDefault(key) + 1;
    }

    public void OnReceived(ulong key, ulong number)
    {
        if (number > _sent.GetValueOrDefault(key))
        {
            Fail($"datagram {number} of {key:x} was never sent");
        }

        if (!_received.TryGetValue(key, out List<byte>? counts))
        {
            _received.Add(key, counts = []);
        }

        while ((ulong)counts.Count <= number)
        {
            counts.Add(0);
        }

        if (counts[(int)number]++ == 0)
        {
            ReceivedCount++;
        }
        else
        {
            _repeatedCount++;
        }
    }

    public void OnReport(int node) => _lastReportNs[node] = _world.Scheduler.NowNs;

    public void OnStep(long nowNs)
    {
        if (_repeatedCount > _world.Faults[FaultKind.DatagramDuplicated])
        {
            Fail($"{_repeatedCount} datagrams arrived again, but the network duplicated {_world.Faults[FaultKind.DatagramDuplicated]}");
        }
    }

    public void CheckLive()
    {
        for (int node = 0; node < _lastReportNs.Length; node++)
        {
            if (_world.Scheduler.NowNs - _lastReportNs[node] > LiveNs)
            {
                Fail($"node{node} reported last at {_lastReportNs[node] / 1_000_000} ms, though all faults are over");
            }
        }
    }

    public void Fail(string message) => _world.Fail(Name, message);

    public void AddTo(ref StableHash hash)
    {
        hash.Add(SentCount);
        hash.Add(ReceivedCount);
        hash.Add(_repeatedCount);
        foreach (long lastNs in _lastReportNs)
        {
            hash.Add(lastNs);
        }
    }

    private static ulong Check(ulong key, ulong number)
    {
        ulong state = key ^ (number * 0x9E3779B97F4A7C15);
        return DeterministicRandom.SplitMix(ref state);
    }
}
