using System.Diagnostics;
using Ripple.Simulation.Stories;
using Ripple.Simulation.Timelines;
using Ripple.Testing.Checking;
using Ripple.Testing.Scripts;
using Ripple.Testing.Tracing;

namespace Ripple.Simulation.Runs;

/// <summary>Runs a scenario as a command line says.</summary>
internal sealed class Runner(IScenario scenario, CommandLine line, TextWriter output, TextWriter errors)
{
    private const int ViolationsPrintedMax = 10;
    private const int StoriesMax = 3;
    private readonly RunSummary _summary = new();
    private RunResult? _failed;
    private RunExcerpt? _rest;

    /// <summary>Runs and prints; returns the exit code.</summary>
    public int Run()
    {
        long startedAt = Stopwatch.GetTimestamp();
        bool isWell = line.IsPlanted ? RunPlanted() : RunSeeds();
        output.WriteLine(_summary.ToJson(Stopwatch.GetElapsedTime(startedAt)));
        return isWell ? 0 : 1;
    }

    private bool RunSeeds()
    {
        ParallelRuns.Run(
            (int)(line.LastSeed - line.FirstSeed + 1),
            line.Threads,
            index => RunSeed(line.FirstSeed + (ulong)index, line.Scenario),
            OnResult);
        ShrinkFirst();
        TraceFirst();
        return _summary.ViolationCount == 0;
    }

    private TextWriter Writer => line.IsJson ? errors : output;

    private SeedRun RunOf(ulong seed) => new(scenario, seed, line.Scenario);

    /// <summary>Shrinks the first seed that failed, and prints what is left.</summary>
    private void ShrinkFirst()
    {
        if (!line.IsShrinking || _failed is null)
        {
            return;
        }

        SeedRun run = RunOf(_failed.Seed);
        var shrinker = new Shrinker(run, _failed.Checker!, errors.WriteLine);
        if (shrinker.Shrink() is not { } rest)
        {
            Writer.WriteLine($"seed {_failed.Seed} does not fail again by {_failed.Checker}: it cannot be shrunk.");
            return;
        }

        Writer.WriteLine(
            $"shrunk to {rest.Faults!.Count} faults, {rest.Nodes!.Count} nodes and {rest.Publishes!.Count} publishes "
                + $"in {shrinker.RunCount} runs:");
        _rest = rest;
        var trace = new TraceLog();
        RunResult result = run.Run(rest, trace);
        Writer.WriteLine(result.Violation);
        Writer.Write(Story.Of(trace, result));
    }

    private void TraceFirst()
    {
        if (line.TracePath is not { } path)
        {
            return;
        }

        SeedRun run = RunOf(_failed?.Seed ?? line.FirstSeed);
        var trace = new TraceLog { HasMessages = line.HasMessages };
        RunExcerpt excerpt = _rest ?? run.Excerpt;
        RunResult result = run.Run(excerpt, trace);
        string title = $"seed {run.Seed} {run.OptionsOf(excerpt).ReplayArguments}".Trim();
        IReadOnlyList<string> files = TraceFile.Write(path, new Timeline(trace, result, title));
        Writer.WriteLine($"traced seed {run.Seed}: {trace.Events.Count} events to {string.Join(" and ", files)}");
    }

    private RunResult RunSeed(ulong seed, ScenarioOptions options)
    {
        var run = new SeedRun(scenario, seed, options);
        RunResult result = run.Run();
        if (!line.IsTwice || result.Violation is not null)
        {
            return result;
        }

        RunResult again = run.Run();
        if (again.StateHash == result.StateHash)
        {
            return result;
        }

        var violation = new InvariantViolationException(
            "Repeatability",
            $"two runs ended in different states: {result.StateHash:x16} and {again.StateHash:x16}",
            seed,
            result.SimulatedNs,
            $"{options.ReplayArguments} --twice".Trim());
        return result with { Violation = violation.Message, Checker = violation.Checker };
    }

    private void OnResult(RunResult result)
    {
        _summary.Add(result);
        if (line.IsVerbose && !line.IsJson)
        {
            output.WriteLine(
                $"seed {result.Seed}: {(result.Violation is null ? "ok" : "VIOLATION")}, committed {result.Committed}, "
                    + $"applied {result.Applied}, state {result.StateHash:x16}");
            output.Write(result.Log);
        }

        if (result.Violation is not null && _summary.ViolationCount <= ViolationsPrintedMax)
        {
            Writer.WriteLine(result.Violation);
            Tell(result);
        }
    }

    /// <summary>Prints the story of a violation: the seed runs once more, with a trace.</summary>
    private void Tell(RunResult result)
    {
        _failed ??= result;
        if (_summary.ViolationCount <= StoriesMax)
        {
            var trace = new TraceLog();
            RunResult again = RunOf(result.Seed).Run(trace);
            Writer.Write(again.Violation == result.Violation ? Story.Of(trace, again) : string.Empty);
        }
    }

    /// <summary>
    /// Plants each bug in seed after seed until its checker finds it. Violations are what is wanted here, and are not counted.
    /// </summary>
    private bool RunPlanted()
    {
        List<PlantedBug> bugs = [.. scenario.PlantedBugs.Where(b => line.PlantedBug is null || b.Name == line.PlantedBug)];
        if (bugs.Count == 0)
        {
            errors.WriteLine(
                $"There is no planted bug '{line.PlantedBug}'; there are: {string.Join(", ", scenario.PlantedBugs.Select(b => b.Name))}.");
            return false;
        }

        ParallelRuns.Run(bugs.Count, line.Threads, index => HuntBug(bugs[index]), OnHunted);
        return _summary.MissedCount == 0;
    }

    private Hunt HuntBug(PlantedBug bug)
    {
        ScenarioOptions options = line.Scenario with { PlantedBug = bug.Name };
        var others = new List<RunResult>();
        for (ulong seed = line.FirstSeed; seed <= line.LastSeed; seed++)
        {
            RunResult result = scenario.Run(seed, options);
            if (result.Checker == bug.Checker)
            {
                return new Hunt(bug, result, others);
            }

            if (result.Violation is not null && others.Count < ViolationsPrintedMax)
            {
                others.Add(result);
            }
        }

        return new Hunt(bug, null, others);
    }

    private void OnHunted(Hunt hunt)
    {
        _summary.AddPlanted(hunt.Bug, hunt.Found?.Seed);
        TextWriter writer = line.IsJson ? errors : output;
        if (hunt.Found is null)
        {
            writer.WriteLine(
                $"planted {hunt.Bug.Name}: NOT FOUND by {hunt.Bug.Checker} in seeds "
                    + $"{line.FirstSeed}..{line.LastSeed}{(hunt.Others.Count > 0 ? "; others found:" : "")}");
            foreach (RunResult other in hunt.Others)
            {
                writer.WriteLine(other.Violation);
            }

            return;
        }

        _summary.Add(hunt.Found with { Violation = null, Checker = null });
        if (!line.IsJson)
        {
            output.WriteLine($"planted {hunt.Bug.Name}: found by {hunt.Bug.Checker} at seed {hunt.Found.Seed}");
            if (line.IsVerbose)
            {
                output.WriteLine(hunt.Found.Violation);
                output.Write(hunt.Found.Log);
            }
        }
    }

    private sealed record Hunt(PlantedBug Bug, RunResult? Found, IReadOnlyList<RunResult> Others);
}
