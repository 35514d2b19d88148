using Ripple.Mutants.Building;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Running;

/// <summary>
/// Looks for a mutant with the simulator: the scenario meant for it first, then each scenario that comes by it, with few seeds before many.
/// </summary>
internal sealed class SimulatorHunt
{
    private readonly Baseline _baseline;
    private readonly SimulatorProgram _simulator;
    private readonly SoundRuns _sound;

    public SimulatorHunt(InstrumentedCopy copy, Baseline baseline)
    {
        _baseline = baseline;
        _simulator = new SimulatorProgram(copy);
        _sound = new SoundRuns(_simulator);
    }

    /// <summary>The scenario, checker and seed that see the mutant; null when none does.</summary>
    public string? SeenBy(Mutant mutant, int number, IReadOnlyList<Profile> profiles)
    {
        var tried = new Dictionary<(string, string?), int>();
        IReadOnlyList<Profile> near = [.. profiles.Where(p => _baseline.Reaches(p.Scenario, number))];
        foreach ((string scenario, string? judge, int last) in Steps(mutant, near))
        {
            int first = tried.GetValueOrDefault((scenario, judge)) + 1;
            if (first > last)
            {
                continue;
            }

            TimeSpan limit = LimitOf(scenario, last - first + 1, profiles);
            SimulatorOutcome outcome = _simulator.Run(scenario, first, last, number, limit, judge);
            outcome = judge is null ? outcome.Without(KnownIn(scenario, profiles)) : outcome;
            if (outcome.Failure is not null || _sound.Beyond(outcome, scenario, judge, first, last, limit).Count > 0)
            {
                return outcome.What;
            }

            tried[(scenario, judge)] = last;
        }

        return null;
    }

    private static IEnumerable<(string Scenario, string? Judge, int LastSeed)> Steps(Mutant mutant, IReadOnlyList<Profile> profiles)
    {
        List<(string, string?, int)> few = [.. profiles.Select(p => (p.Scenario, (string?)null, p.FewSeeds))];
        // What the scenario lacks to show it is written beside it: its seeds would all pass.
        IEnumerable<(string, string?, int)> meant = mutant is { IsWritten: true, Missing: null }
            ? SeedSteps.UpTo(mutant.Seeds).Select(s => (mutant.Scenario!, mutant.Judge, s.Last))
            : [];
        return meant.Concat(few).Concat(profiles.Select(p => (p.Scenario, (string?)null, p.Seeds)));
    }

    private static IReadOnlyList<string> KnownIn(string scenario, IReadOnlyList<Profile> profiles) =>
        profiles.FirstOrDefault(p => p.Scenario == scenario)?.Known ?? [];

    private TimeSpan LimitOf(string scenario, int seeds, IReadOnlyList<Profile> profiles) =>
        _baseline.LimitOf(scenario) * Math.Max(1, (double)seeds / (profiles.FirstOrDefault(p => p.Scenario == scenario)?.Seeds ?? seeds));
}
