using Ripple.Mutants.Building;
using Ripple.Mutants.Commands;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Running;

namespace Ripple.Mutants.Planted;

/// <summary>
/// Demands of the simulator that it finds each written mutant in the scenario that its author named, by the checker meant for it: a checker
/// that never found anything proves nothing.
/// </summary>
internal sealed class PlantedRun(string root, MutantList list, CommandLine line, TextWriter output, Action<string> log)
{
    public const int SeedsMax = 200;
    private const int MissingSeeds = 8;
    private static readonly TimeSpan SeedLimit = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(30);
    private readonly InstrumentedCopy _copy = new(root, list);

    /// <summary>True when each was found by its checker and in time, but for those whose entry says what is missing.</summary>
    public bool Run()
    {
        List<Mutant> mutants = [.. line.Choose(list).Where(m => m.IsWritten && (line.PlantedName is null || m.Id == line.PlantedName))];
        if (mutants.Count == 0)
        {
            throw new MutantException($"There is no written mutant '{line.PlantedName}'; --list names them.");
        }

        new CopyBuilder(_copy, list).Ensure(log);
        var totals = new PlantedTotals();
        foreach (Mutant mutant in mutants)
        {
            (string? checker, ulong seed) = Hunt(mutant);
            totals.Add(mutant, checker, seed);
            string text = $"{mutant.Id}: {(checker is null ? "NOT FOUND" : $"{checker} at seed {seed}")}, meant for {mutant.Checker}";
            (line.IsJson ? log : output.WriteLine)(text);
        }

        output.WriteLine(totals.ToJson());
        return totals.Wrong == 0;
    }

    /// <summary>The checker meant for it, with its first seed; another one that found something, when that one never does.</summary>
    private (string? Checker, ulong Seed) Hunt(Mutant mutant)
    {
        var simulator = new SimulatorProgram(_copy);
        (string? Checker, ulong Seed) other = (null, 0);
        // What cannot be found so far gets a look, unless it was asked for by its name.
        int seeds = mutant.Missing is not null && line.PlantedName is null ? MissingSeeds : SeedsMax;
        foreach ((int first, int last) in SeedSteps.UpTo(seeds))
        {
            SimulatorOutcome outcome = simulator.Run(
                mutant.Scenario!, first, last, list.NumberOf(mutant), StartLimit + (SeedLimit * (last - first + 1)));
            if (outcome.FoundBy.TryGetValue(mutant.Checker!, out ulong seed))
            {
                return (mutant.Checker, seed);
            }

            if (outcome.IsSeen && other.Checker is null)
            {
                other = outcome.FoundBy.Count > 0 ? Earliest(outcome) : (outcome.What, (ulong)first);
            }

            // What another checker finds in its own seeds already is late, whatever comes after them.
            if (last >= mutant.Seeds && other.Checker is not null)
            {
                break;
            }
        }

        return other;
    }

    private static (string Checker, ulong Seed) Earliest(SimulatorOutcome outcome)
    {
        (string checker, ulong seed) = outcome.FoundBy.MinBy(f => f.Value);
        return (checker, seed);
    }
}
