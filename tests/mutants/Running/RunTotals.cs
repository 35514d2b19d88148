namespace Ripple.Mutants.Running;

/// <summary>The last line of a run.</summary>
internal sealed record RunTotals
{
    /// <summary>How many mutants were judged.</summary>
    public int Mutants { get; init; }

    public int SeenByTests { get; init; }

    public int SeenBySimulator { get; init; }

    /// <summary>How many were seen by either.</summary>
    public int Seen { get; init; }

    /// <summary>How many of the list were not judged, for the time was over.</summary>
    public int Left { get; init; }

    /// <summary>The names of those that nothing saw.</summary>
    public IReadOnlyList<string> Unseen { get; init; } = [];

    /// <summary>The names of those that are not in the sources any more, and were not judged.</summary>
    public IReadOnlyList<string> Gone { get; init; } = [];

    public double Seconds { get; init; }

    public static RunTotals Of(IReadOnlyCollection<Verdict> verdicts, int left, IReadOnlyList<string> gone) => new()
    {
        Mutants = verdicts.Count,
        SeenByTests = verdicts.Count(v => v.SeenByTest is not null),
        SeenBySimulator = verdicts.Count(v => v.SeenBySimulator is not null),
        Seen = verdicts.Count(v => v.IsSeen),
        Left = left,
        Unseen = [.. verdicts.Where(v => !v.IsSeen).Select(v => v.Mutant)],
        Gone = gone,
        Seconds = Math.Round(verdicts.Sum(v => v.Seconds)),
    };
}
