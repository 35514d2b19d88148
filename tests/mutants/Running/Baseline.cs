using System.Globalization;
using System.Text.Json;
using Ripple.Mutants.Building;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Running;

/// <summary>
/// The copy without a mutant passes all that looks for mutants; else nothing that fails later would mean anything. How long it takes is
/// the measure for what hangs.
/// </summary>
internal sealed class Baseline(InstrumentedCopy copy, string path)
{
    private const int Slower = 3;
    private static readonly TimeSpan Extra = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Most = TimeSpan.FromMinutes(15);
    private SortedDictionary<string, double> _seconds = new(StringComparer.Ordinal);

    /// <summary>How long a process of this project, or of this scenario, may take.</summary>
    public TimeSpan LimitOf(string name) =>
        _seconds.TryGetValue(name, out double seconds) ? TimeSpan.FromSeconds(seconds * Slower) + Extra : Most;

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
                SimulatorOutcome outcome = simulator.Run(profile.Scenario, 1, profile.Seeds, 0, Most);
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
        File.WriteAllText(path, $"{copy.Hash}\n{JsonSerializer.Serialize(_seconds)}");
    }

    private void Load()
    {
        string[] lines = File.Exists(path) ? File.ReadAllLines(path) : [];
        if (lines.Length == 2 && lines[0] == copy.Hash)
        {
            _seconds = JsonSerializer.Deserialize<SortedDictionary<string, double>>(lines[1])!;
        }
    }
}
