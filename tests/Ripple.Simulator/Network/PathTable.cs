using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>The paths between any two machines: a profile for each pair of zones, plus temporary disturbances.</summary>
internal sealed class PathTable
{
    private static readonly PathProfile Loopback = new() { LatencyNs = 10_000, JitterNs = 2_000 };
    private static readonly PathProfile Nothing = new();
    private readonly List<string> _zones = [];
    private readonly Dictionary<(int From, int To), PathProfile> _byZones = [];
    private readonly List<Disturbance> _disturbances = [];
    private PathProfile?[] _cache = [];
    private int _machineCount;

    /// <summary>The profile within a zone that has no profile of its own. Default 100 us latency and 50 us jitter.</summary>
    public PathProfile WithinZone { get; private set; } = new() { LatencyNs = 100_000, JitterNs = 50_000 };

    /// <summary>The profile between zones that have no profile of their own. Default 20 ms latency and 1 ms jitter.</summary>
    public PathProfile BetweenZones { get; private set; } = new() { LatencyNs = 20_000_000, JitterNs = 1_000_000 };

    /// <summary>Sets the profiles used for pairs of zones without their own.</summary>
    public void SetDefaults(PathProfile withinZone, PathProfile betweenZones)
    {
        WithinZone = withinZone;
        BetweenZones = betweenZones;
        Array.Clear(_cache);
    }

    /// <summary>Sets the profile between two zones, in both directions; within one zone if they are the same.</summary>
    public void Set(string zone, string otherZone, PathProfile profile)
    {
        int first = IndexOf(zone);
        int second = IndexOf(otherZone);
        _byZones[(first, second)] = profile;
        _byZones[(second, first)] = profile;
        Array.Clear(_cache);
    }

    /// <summary>Impairs every path to and from a machine (or all machines, if null) until the disturbance is ended.</summary>
    public Disturbance Disturb(PathProfile added, SimulatedMachine? machine = null)
    {
        var disturbance = new Disturbance(this, added, machine?.Index ?? -1);
        _disturbances.Add(disturbance);
        Array.Clear(_cache);
        return disturbance;
    }

    /// <summary>The number of disturbances that have not ended.</summary>
    public int DisturbanceCount => _disturbances.Count;

    internal string ZoneName(int index) => _zones[index];

    internal int IndexOf(string zone)
    {
        int index = _zones.IndexOf(zone);
        if (index < 0)
        {
            index = _zones.Count;
            _zones.Add(zone);
        }

        return index;
    }

    internal void Grow(int machineCount)
    {
        _machineCount = machineCount;
        _cache = new PathProfile?[machineCount * machineCount];
    }

    internal void End(Disturbance disturbance)
    {
        if (_disturbances.Remove(disturbance))
        {
            Array.Clear(_cache);
        }
    }

    internal PathProfile Between(SimulatedMachine from, SimulatedMachine to)
    {
        ref PathProfile? profile = ref _cache[(from.Index * _machineCount) + to.Index];
        return profile ??= Compute(from, to);
    }

    private PathProfile Compute(SimulatedMachine from, SimulatedMachine to)
    {
        if (ReferenceEquals(from, to))
        {
            return Loopback;
        }

        PathProfile? profile = _byZones.GetValueOrDefault((from.ZoneIndex, to.ZoneIndex));
        profile ??= from.ZoneIndex == to.ZoneIndex ? WithinZone : BetweenZones;
        PathProfile added = Nothing;
        foreach (Disturbance disturbance in _disturbances)
        {
            if (disturbance.MachineIndex < 0 || disturbance.MachineIndex == from.Index || disturbance.MachineIndex == to.Index)
            {
                added = added.Plus(disturbance.Added);
            }
        }

        return ReferenceEquals(added, Nothing) ? profile : profile.Plus(added);
    }
}
