using Ripple.Mutants.Building;
using Ripple.Mutants.Commands;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Running;

namespace Ripple.Mutants.Planted;

/// <summary>
/// Demands of the simulator that it finds each written mutant in the scenario that its author named, by the checker meant for it: a checker
/// that never found anything proves nothing.
/// </summary>
internal sealed class PlantedRun
{
    public const int SeedsMax = 200;
    private static readonly TimeSpan SeedLimit = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(30);
    private readonly MutantList _list;
    private readonly CommandLine _line;
    private readonly TextWriter _output;
    private readonly Action<string> _log;
    private readonly InstrumentedCopy _copy;
    private readonly SimulatorProgram _simulator;
    private readonly SoundRuns _sound;

    public PlantedRun(string root, MutantList list, CommandLine line, TextWriter output, Action<string> log)
    {
        _list = list;
        _line = line;
        _output = output;
        _log = log;
        _copy = new InstrumentedCopy(root, list);
        _simulator = new SimulatorProgram(_copy);
        _sound = new SoundRuns(_simulator);
    }

    /// <summary>
    /// True when each was found by its checker and in time. Those whose entry says what is missing are planted only when they are named.
    /// </summary>
    public bool Run()
    {
        List<Mutant> mutants =
            [.. _line.Choose(_list).Where(m => m.IsWritten && (_line.PlantedName is null ? m.Missing is null : m.Id == _line.PlantedName))];
        if (mutants.Count == 0)
        {
            throw new MutantException($"There is no written mutant '{_line.PlantedName}'; --list names them.");
        }

        new CopyBuilder(_copy, _list).Ensure(_log);
        var totals = new PlantedTotals(mutants.Select(m => m.Id).Intersect(_copy.RefusedNames));
        mutants.RemoveAll(m => totals.Gone.Contains(m.Id));
        foreach (Mutant mutant in mutants)
        {
            (string? checker, ulong seed) = Hunt(mutant);
            totals.Add(mutant, checker, seed);
            string text = $"{mutant.Id}: {(checker is null ? "NOT FOUND" : $"{checker} at seed {seed}")}, meant for {mutant.Checker}";
            (_line.IsJson ? _log : _output.WriteLine)(text);
        }

        _output.WriteLine(totals.ToJson());
        return totals.Wrong == 0;
    }

    /// <summary>The checker meant for it, with its first seed; another one that found something, when that one never does.</summary>
    private (string? Checker, ulong Seed) Hunt(Mutant mutant)
    {
        (string? Checker, ulong Seed) other = (null, 0);
        foreach ((int first, int last) in SeedSteps.UpTo(SeedsMax))
        {
            TimeSpan limit = StartLimit + (SeedLimit * (last - first + 1));
            SimulatorOutcome outcome = _simulator.Run(mutant.Scenario!, first, last, _list.NumberOf(mutant), limit, mutant.Judge);
            IReadOnlyDictionary<string, ulong> found = _sound.Beyond(outcome, mutant.Scenario!, mutant.Judge, first, last, limit);
            if (found.TryGetValue(mutant.Checker!, out ulong seed))
            {
                return (mutant.Checker, seed);
            }

            if (other.Checker is null && found.Count > 0)
            {
                (string checker, ulong earliest) = found.MinBy(f => f.Value);
                other = (checker, earliest);
            }
            else if (other.Checker is null && outcome.IsSeen && outcome.FoundBy.Count == 0)
            {
                other = (outcome.What, (ulong)first);
            }

            // What another checker finds in its own seeds already is late, whatever comes after them.
            if (last >= mutant.Seeds && other.Checker is not null)
            {
                break;
            }
        }

        return other;
    }
}
