using System.Globalization;

namespace Ripple.Mutants.Running;

/// <summary>What the simulator saw in some seeds of a scenario.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Failure">How the process ended when it could not say; null when it could.</param>
/// <param name="FoundBy">For each checker that found something, the first seed in which it did.</param>
/// <param name="Process">The process.</param>
internal sealed record SimulatorOutcome(
    string Scenario, string? Failure, IReadOnlyDictionary<string, ulong> FoundBy, ChildResult Process)
{
    /// <summary>Something was wrong.</summary>
    public bool IsSeen => Failure is not null || FoundBy.Count > 0;

    /// <summary>The checker and the seed, or how the process ended; empty when nothing was wrong.</summary>
    public string What
    {
        get
        {
            if (Failure is not null || FoundBy.Count == 0)
            {
                return Failure is null ? string.Empty : $"{Scenario}: {Failure}";
            }

            (string checker, ulong seed) = FoundBy.MinBy(f => f.Value);
            return string.Create(CultureInfo.InvariantCulture, $"{Scenario}: {checker} at seed {seed}");
        }
    }

    /// <summary>The same without what these checkers found.</summary>
    public SimulatorOutcome Without(IReadOnlyList<string> checkers) =>
        this with { FoundBy = FoundBy.Where(f => !checkers.Contains(f.Key)).ToDictionary() };
}
