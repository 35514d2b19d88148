using Ripple.Testing.Simulation;

namespace Ripple.Testing.Network;

/// <summary>What the path between any two machines is like: a profile by pair of zones, and what disturbances add for a time.</summary>
internal sealed class PathTable
{
    private static readonly PathProfile Loopback = new() { LatencyNs = 10_000, JitterNs = 2_000 };
    private static readonly PathProfile Nothing = new();
    private readonly List<string> _zones = [];
    private readonly Dictionary<(int From, int To), PathProfile> _byZones = [];
    private readonly List<Disturbance> _disturbances = [];
    private PathProfile?[] _cache = [];
    private int _machineCount;

    /// <summary>The profile between machines of one zone that has none of its own. Default 100 us and 50 us of jitter.</summary>
    public PathProfile WithinZone { get; private set; } = new() { LatencyNs = 100_000, JitterNs = 50_000 };

    /// <summary>The profile between machines of different zones that have none of their own. Default 20 ms and 1 ms of jitter.</summary>
    public PathProfile BetweenZones { get; private set; } = new() { LatencyNs = 20_000_000, JitterNs = 1_000_000 };

    /// <summary>Sets the profiles of pairs of zones that have none of their own.</summary>
    public void SetDefaults(PathProfile withinZone, PathProfile betweenZones)
    {
        WithinZone = withinZone;
        BetweenZones = betweenZones;
        Array.Clear(_cache);
    }

    /// <summary>Sets the profile between two zones, both ways; within one zone when they are the same.</summary>
    public void Set(string zone, string otherZone, PathProfile profile)
    {
        int first = IndexOf(zone);
        int second = IndexOf(otherZone);
        _byZones[(first, second)] = profile;
        _byZones[(second, first)] = profile;
        Array.Clear(_cache);
    }

    /// <summary>Makes every path to and from a machine (of all machines, for null) worse, until the disturbance is ended.</summary>
    public Disturbance Disturb(PathProfile added, SimulatedMachine? machine = null)
    {
        var disturbance = new Disturbance(this, added, machine?.Index ?? -1);
        _disturbances.Add(disturbance);
        Array.Clear(_cache);
        return disturbance;
    }

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
