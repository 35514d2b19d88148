using System.Globalization;
using System.Text.Json;
using Ripple.Mutants.Building;
using Ripple.Mutants.Rewriting;

namespace Ripple.Mutants.Running;

/// <summary>Runs the simulator of the instrumented copy with one mutant switched on, or none.</summary>
internal sealed class SimulatorProgram(InstrumentedCopy copy)
{
    private static readonly Dictionary<string, ulong> None = [];

    /// <summary>Runs seeds without a mutant, and says which mutants' bodies were entered.</summary>
    public SimulatorOutcome RunSound(string scenario, int lastSeed, TimeSpan limit, out IReadOnlySet<int> reached)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("ripple-mutants-");
        try
        {
            SimulatorOutcome outcome = Run(scenario, 1, lastSeed, 0, limit, null, folder.FullName);
            reached = ReachedMutants.Read(folder.FullName);
            return outcome;
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    public SimulatorOutcome Run(
        string scenario, int firstSeed, int lastSeed, int mutant, TimeSpan limit, string? judge = null, string? reachedFolder = null)
    {
        string assembly = copy.AssemblyOf(CopyBuilder.Simulator);
        var process = new ChildProcess(
            "dotnet",
            [
                "exec", assembly, "--json", "--scenario", scenario, "--seeds",
                string.Create(CultureInfo.InvariantCulture, $"{firstSeed}..{lastSeed}"),
                .. judge is null ? Array.Empty<string>() : ["--judge", judge],
            ],
            Path.GetDirectoryName(assembly)!);
        process.Environment[SwitchSource.Variable] = mutant.ToString(CultureInfo.InvariantCulture);
        if (reachedFolder is not null)
        {
            process.Environment[SwitchSource.ReachedVariable] = reachedFolder;
        }

        return Judge(scenario, process.Run(limit));
    }

    public static SimulatorOutcome Judge(string scenario, ChildResult result)
    {
        if (result.IsTimeout)
        {
            return new SimulatorOutcome(scenario, "timeout", None, result);
        }

        string? last = result.Output.Split('\n').LastOrDefault(l => l.StartsWith("{\"seeds\"", StringComparison.Ordinal));
        if (last is null)
        {
            return new SimulatorOutcome(scenario, $"ended with {result.ExitCode}", None, result);
        }

        using var json = JsonDocument.Parse(last);
        Dictionary<string, ulong> found = json.RootElement.TryGetProperty("found_by", out JsonElement by)
            ? by.EnumerateObject().ToDictionary(p => p.Name, p => p.Value.GetUInt64())
            : [];
        return new SimulatorOutcome(scenario, null, found, result);
    }
}
