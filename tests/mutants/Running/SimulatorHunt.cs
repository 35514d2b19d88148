using Ripple.Mutants.Building;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Running;

/// <summary>Looks for a mutant with the simulator: the scenario meant for it first, and each scenario with few seeds before many.</summary>
internal sealed class SimulatorHunt(InstrumentedCopy copy, Baseline baseline)
{
    private readonly SimulatorProgram _simulator = new(copy);

    /// <summary>The scenario, checker and seed that see the mutant; null when none does.</summary>
    public string? SeenBy(Mutant mutant, int number, IReadOnlyList<Profile> profiles)
    {
        var tried = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach ((string scenario, int last) in Steps(mutant, profiles))
        {
            int first = tried.GetValueOrDefault(scenario) + 1;
            if (first > last)
            {
                continue;
            }

            SimulatorOutcome outcome = _simulator.Run(scenario, first, last, number, LimitOf(scenario, last - first + 1, profiles));
            if (outcome.IsSeen)
            {
                return outcome.What;
            }

            tried[scenario] = last;
        }

        return null;
    }

    private static IEnumerable<(string Scenario, int LastSeed)> Steps(Mutant mutant, IReadOnlyList<Profile> profiles)
    {
        List<(string, int)> few = [.. profiles.Select(p => (p.Scenario, p.FewSeeds))];
        IEnumerable<(string, int)> meant = mutant.IsWritten
            ? SeedSteps.UpTo(mutant.Seeds).Select(s => (mutant.Scenario!, s.Last))
            : [];
        return meant.Concat(few).Concat(profiles.Select(p => (p.Scenario, p.Seeds)));
    }

    private TimeSpan LimitOf(string scenario, int seeds, IReadOnlyList<Profile> profiles) =>
        baseline.LimitOf(scenario) * Math.Max(1, (double)seeds / (profiles.FirstOrDefault(p => p.Scenario == scenario)?.Seeds ?? seeds));
}
