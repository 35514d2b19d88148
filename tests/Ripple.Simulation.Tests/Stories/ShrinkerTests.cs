using Ripple.Simulation.Runs;
using Ripple.Simulation.Stories;
using Ripple.Testing.Cluster;
using Ripple.Testing.Scripts;
using Ripple.Testing.Simulation;
using Ripple.Testing.Tracing;

namespace Ripple.Simulation.Tests.Stories;

public class ShrinkerTests
{
    [Fact]
    public void Only_what_a_failure_needs_is_left()
    {
        var run = new SeedRun(new Needy(), 1, new ScenarioOptions());
        var shrinker = new Shrinker(run, "Needs", _ => { });
        RunExcerpt rest = shrinker.Shrink()!;
        Assert.Equal(["7", "23", "restore"], rest.Faults);
        Assert.Equal(["4"], rest.Nodes);
        Assert.Equal(["0", "59"], rest.Publishes);
        Assert.InRange(shrinker.RunCount, 10, 150);
    }

    [Fact]
    public void A_failure_of_another_checker_is_not_followed()
    {
        var shrinker = new Shrinker(new SeedRun(new Needy(), 1, new ScenarioOptions()), "Other", _ => { });
        Assert.Null(shrinker.Shrink());
    }

    [Fact]
    public void A_cluster_that_fails_by_a_planted_cause_is_shrunk_to_it_and_its_command_repeats_it()
    {
        var scenario = new PlantedScenario(FailAfterCrash);
        SeedRun run = Enumerable.Range(1, 20)
            .Select(seed => new SeedRun(scenario, (ulong)seed, new ScenarioOptions()))
            .First(r => r.Run().Checker == PlantedScenario.Checker);
        RunExcerpt rest = new Shrinker(run, PlantedScenario.Checker, _ => { }).Shrink()!;
        Assert.Equal(["1"], rest.Nodes!);
        Assert.Single(rest.Faults!);
        Assert.Single(rest.Publishes!);

        // The printed command leads to the same run.
        RunResult left = run.Run(rest);
        string violation = left.Violation!;
        string arguments = violation[(violation.IndexOf(" -- ", StringComparison.Ordinal) + 4)..];
        CommandLine line = CommandLine.Parse(arguments.Split(' '), out string error)!;
        Assert.Equal("", error);
        var trace = new TraceLog();
        RunResult again = new SeedRun(scenario, line.FirstSeed, line.Scenario).Run(trace);
        Assert.Equal(left.Violation, again.Violation);
        Assert.Equal(left.StateHash, again.StateHash);

        // And its story tells of the crash, and of no other fault.
        Assert.Single(trace.Events, e => e.Kind == TraceKind.Fault);
        Assert.Contains("crash of host", Story.Of(trace, again), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void The_runner_prints_what_is_left_as_a_command()
    {
        var output = new StringWriter();
        var errors = new StringWriter();
        CommandLine line = CommandLine.Parse(["--seeds", "1", "--shrink"], out _)!;
        new Runner(new Needy(), line, output, errors).Run();
        Assert.Contains("shrunk to 3 faults, 1 nodes and 2 publishes", output.ToString(), StringComparison.Ordinal);
        Assert.Contains(
            "--seeds 1..1 --keep-faults 7,23,restore --keep-nodes 4 --keep-publishes 0,59", output.ToString(), StringComparison.Ordinal);
        Assert.Contains("shrink: 3 faults", errors.ToString(), StringComparison.Ordinal);
    }

    /// <summary>Fails once the host has crashed, a release was committed, and the second node has it in effect.</summary>
    private static void FailAfterCrash(SimulatedCluster cluster)
    {
        SimulatedClient client = cluster.Clients[1];
        if (cluster.Host.Machine.StartCount > 1
            && client.Node?.Find(SimulatedCluster.Application)?.Applied.Keys is { Release: > 0 })
        {
            cluster.World.Fail(PlantedScenario.Checker, $"{client.Machine} is there after a crash of {cluster.Host.Machine}");
        }
    }

    /// <summary>Has 40 numbered faults and a named one, 10 nodes and 60 publishes, of which six items together make it fail.</summary>
    private sealed class Needy : IScenario
    {
        public RunResult Run(ulong seed, ScenarioOptions options)
        {
            RunScript script = options.Script;
            HashSet<int> faults = [.. Enumerable.Range(0, 40).Where(i => script.Takes(RunItem.Fault, i))];
            bool isRestored = script.Takes(RunItem.Fault, "restore");
            HashSet<int> nodes = [.. Enumerable.Range(0, 10).Where(i => script.Takes(RunItem.Node, i))];
            HashSet<int> publishes = [.. Enumerable.Range(0, 60).Where(i => script.Takes(RunItem.Publish, i))];
            bool fails = faults.Contains(7) && faults.Contains(23) && isRestored && nodes.Contains(4) && publishes.Contains(0)
                && publishes.Contains(59);
            var world = new SimulatedWorld(seed, new WorldOptions { ReplayArguments = options.ReplayArguments });
            Testing.Checking.InvariantViolationException? violation = null;
            try
            {
                world.Fail(fails ? "Needs" : "Other", $"{faults.Count} faults");
            }
            catch (Testing.Checking.InvariantViolationException e) when (fails)
            {
                violation = e;
            }
            catch (Testing.Checking.InvariantViolationException)
            {
                // What is left does not fail.
            }

            return RunResult.Of(world, violation, 0, 0);
        }
    }
}
