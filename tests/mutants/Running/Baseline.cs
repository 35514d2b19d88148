using System.Globalization;
using System.Text.Json;
using Ripple.Mutants.Building;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Running;

/// <summary>
/// The copy without a mutant passes all that looks for mutants; else nothing that fails later would mean anything. How long it takes is
/// the measure for what hangs; which mutants a scenario comes by says where to look for them.
/// </summary>
internal sealed class Baseline(InstrumentedCopy copy, string path)
{
    private const int Slower = 3;
    private static readonly TimeSpan Extra = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Most = TimeSpan.FromMinutes(15);
    private SortedDictionary<string, double> _seconds = new(StringComparer.Ordinal);
    private SortedDictionary<string, int[]> _reached = new(StringComparer.Ordinal);

    /// <summary>How long a process of this project, or of this scenario, may take.</summary>
    public TimeSpan LimitOf(string name) =>
        _seconds.TryGetValue(name, out double seconds) ? TimeSpan.FromSeconds(seconds * Slower) + Extra : Most;

    /// <summary>False when the seeds of a profile do not come by a mutant of this number.</summary>
    public bool Reaches(string scenario, int mutant) =>
        !_reached.TryGetValue(scenario, out int[]? numbers) || Array.BinarySearch(numbers, mutant) >= 0;

    /// <summary>Runs what was not run with these contents already. Each project may fail once: the machine may be busy.</summary>
    public void Ensure(IEnumerable<string> projects, IEnumerable<Profile> profiles, Action<string> log)
    {
        Load();
        var tests = new TestProgram(copy);
        var simulator = new SimulatorProgram(copy);
        foreach (string project in projects.Where(p => !_seconds.ContainsKey(p)))
        {
            Pass(project, log, () =>
            {
                TestOutcome outcome = tests.Run(new TestStep(project, [], []), 0, Most);
                return (outcome.IsWell, outcome.What, outcome.Process);
            });
        }

        foreach (Profile profile in profiles.Where(p => !_seconds.ContainsKey(p.Scenario)))
        {
            Pass(profile.Scenario, log, () =>
            {
                SimulatorOutcome outcome = simulator.RunSound(profile.Scenario, profile.Seeds, Most, out IReadOnlySet<int> reached);
                _reached[profile.Scenario] = [.. reached.Order()];
                outcome = outcome.Without(profile.Known);
                return (!outcome.IsSeen, outcome.What, outcome.Process);
            });
        }
    }

    private void Pass(string name, Action<string> log, Func<(bool IsWell, string What, ChildResult Process)> run)
    {
        (bool isWell, string what, ChildResult process) = run();
        if (!isWell)
        {
            log($"{name} without a mutant failed ({what}); once more");
            (isWell, what, process) = run();
        }

        if (!isWell)
        {
            throw new MutantException(
                $"{name} fails without any mutant ({what}), so nothing that it sees means anything.\n{process.Output}");
        }

        log(string.Create(CultureInfo.InvariantCulture, $"{name} without a mutant passes in {process.Took.TotalSeconds:F0} s"));
        _seconds[name] = process.Took.TotalSeconds;
        File.WriteAllText(path, $"{copy.Hash}\n{JsonSerializer.Serialize(_seconds)}\n{JsonSerializer.Serialize(_reached)}");
    }

    private void Load()
    {
        string[] lines = File.Exists(path) ? File.ReadAllLines(path) : [];
        if (lines.Length == 3 && lines[0] == copy.Hash)
        {
            _seconds = JsonSerializer.Deserialize<SortedDictionary<string, double>>(lines[1])!;
            _reached = JsonSerializer.Deserialize<SortedDictionary<string, int[]>>(lines[2])!;
        }
    }
}
