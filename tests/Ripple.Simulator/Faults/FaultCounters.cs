namespace Ripple.Simulator.Faults;

/// <summary>
/// The number of faults of each kind in a run; a run proves nothing about faults it did not have. Belongs to the simulation's thread.
/// </summary>
public sealed class FaultCounters
{
    private static readonly FaultKind[] Kinds = Enum.GetValues<FaultKind>();
    private readonly long[] _counts = new long[Kinds.Length];
    private readonly SortedDictionary<string, long> _others = new(StringComparer.Ordinal);

    /// <summary>The number of faults of a kind.</summary>
    public long this[FaultKind kind] => _counts[(int)kind];

    /// <summary>Counts one or more faults.</summary>
    internal void Add(FaultKind kind, long count = 1) => _counts[(int)kind] += count;

    /// <summary>Counts a fault of a kind unknown to this package, under a name chosen by the scenario.</summary>
    internal void Add(string name, long count = 1)
    {
        _others.TryGetValue(name, out long sum);
        _others[name] = sum + count;
    }

    /// <summary>All counts by name (the kind's in camel case), in ordinal order; kinds that did not occur are included with 0.</summary>
    public SortedDictionary<string, long> ToSorted()
    {
        var all = new SortedDictionary<string, long>(_others, StringComparer.Ordinal);
        foreach (FaultKind kind in Kinds)
        {
            string name = kind.ToString();
            all[char.ToLowerInvariant(name[0]) + name[1..]] = _counts[(int)kind];
        }

        return all;
    }
}
