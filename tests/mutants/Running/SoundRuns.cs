namespace Ripple.Mutants.Running;

/// <summary>
/// What the simulator finds without any mutant: a scenario may know faults of the product itself, and what it finds as early without a
/// mutant says nothing about the mutant.
/// </summary>
internal sealed class SoundRuns(SimulatorProgram simulator)
{
    private readonly Dictionary<(string Scenario, string? Judge, int First, int Last), SimulatorOutcome> _runs = [];

    /// <summary>The checkers that found something because of the mutant, each with its first seed.</summary>
    public IReadOnlyDictionary<string, ulong> Beyond(
        SimulatorOutcome outcome, string scenario, string? judge, int first, int last, TimeSpan limit)
    {
        if (outcome.FoundBy.Count == 0)
        {
            return outcome.FoundBy;
        }

        if (!_runs.TryGetValue((scenario, judge, first, last), out SimulatorOutcome? sound))
        {
            sound = simulator.Run(scenario, first, last, 0, limit, judge);
            _runs.Add((scenario, judge, first, last), sound);
        }

        return Beyond(outcome.FoundBy, sound.FoundBy);
    }

    public static IReadOnlyDictionary<string, ulong> Beyond(
        IReadOnlyDictionary<string, ulong> found, IReadOnlyDictionary<string, ulong> without) =>
        found.Where(f => !without.TryGetValue(f.Key, out ulong seed) || seed > f.Value).ToDictionary();
}
