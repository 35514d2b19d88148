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
        if (line.IsDrawn)
        {
            // A run that is ended before its last line can be repeated, too.
            Writer.WriteLine($"seeds {line.FirstSeed}..{line.LastSeed}");
        }

        ParallelRuns.Run(
            (int)(line.LastSeed - line.FirstSeed + 1), line.Threads, index => RunSeed(line.FirstSeed + (ulong)index), OnResult);
        ShrinkFirst();
        TraceFirst();
        output.WriteLine(_summary.ToJson(Stopwatch.GetElapsedTime(startedAt)));
        return _summary.ViolationCount == 0 ? 0 : 1;
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

    private RunResult RunSeed(ulong seed)
    {
        SeedRun run = RunOf(seed);
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
            $"{line.Scenario.ReplayArguments} --twice".Trim());
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
}
