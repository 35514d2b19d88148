using System.Globalization;
using System.Text.RegularExpressions;
using Ripple.Simulation.Runs;
using Ripple.Simulation.Stories;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Tests.Stories;

public partial class StoryTests
{
    [Fact]
    public void A_story_holds_what_touches_the_release_and_the_node_and_little_else()
    {
        string story = Tell(new PlantedScenario(FailWhenAppliedThree), out TraceLog trace, out RunResult result);
        ReleaseLabel release = Assert.Single(result.Subject.Releases);
        Assert.True(release.Number >= 3);
        Assert.Equal(["client2"], result.Subject.Machines);
        TraceEvent committed = Assert.Single(trace.Events, e => e.Kind == TraceKind.Committed && e.Release == release);
        Assert.Contains($"host       commits {release} of publish {committed.Publish}", story, StringComparison.Ordinal);
        Assert.Contains($"publisher  publishes", story, StringComparison.Ordinal);
        foreach (string did in (string[])["has whole", "begins to decide on", "accepts", "applies"])
        {
            Assert.Contains($"client2    {did} {release}", story, StringComparison.Ordinal);
        }

        // In order, with times; at its end the violation.
        string[] lines = story.TrimEnd().Split(Environment.NewLine);
        double[] seconds = [.. lines[1..].Select(l => double.Parse(l.Trim().Split(' ')[0], CultureInfo.InvariantCulture))];
        Assert.Equal(seconds.Order(), seconds);
        Assert.Contains("Planted: client2 has", lines[^1], StringComparison.Ordinal);
        Assert.DoesNotContain("1/2 (", story, StringComparison.Ordinal);
        Assert.DoesNotContain("client3    joins", story, StringComparison.Ordinal);
        Assert.InRange(lines.Length, 7, trace.Events.Count / 5);
    }

    [Fact]
    public void A_story_has_the_faults_of_its_node_and_of_all_but_not_of_other_nodes()
    {
        string story = Tell(new PlantedScenario(FailWhenStartedAgain), out TraceLog trace, out RunResult result);
        Assert.Equal(["client2"], result.Subject.Machines);
        Assert.Matches(OwnCrash(), story);
        Assert.Contains("client2    starts again", story, StringComparison.Ordinal);
        Assert.DoesNotMatch(OtherCrash(), story);
        Assert.Contains(trace.Events, e => e.Kind == TraceKind.Crashed && e.Machines[0].Name is not "client2" and not "host");
    }

    [Fact]
    public void A_violation_without_a_trace_has_no_story()
    {
        RunResult result = new SeedRun(new PlantedScenario(FailWhenAppliedThree), Seed, new ScenarioOptions()).Run();
        Assert.Equal("", Story.Of(new TraceLog(), result));
    }

    [Fact]
    public void The_runner_prints_the_story_below_the_violation()
    {
        var output = new StringWriter();
        CommandLine line = CommandLine.Parse(["--seeds", "3..3"], out _)!;
        Assert.Equal(1, new Runner(new PlantedScenario(FailWhenAppliedThree), line, output, TextWriter.Null).Run());
        Assert.Contains("story of seed 3: client2, release 1/", output.ToString(), StringComparison.Ordinal);
    }

    private const ulong Seed = 3;

    [GeneratedRegex("fault [0-9]+: NodeCrash.* of client2, until")]
    private static partial Regex OwnCrash();

    [GeneratedRegex("(NodeCrash|Pause).* of client[013456789]")]
    private static partial Regex OtherCrash();

    private static string Tell(PlantedScenario scenario, out TraceLog trace, out RunResult result)
    {
        for (ulong seed = Seed; seed < Seed + 20; seed++)
        {
            trace = new TraceLog();
            result = new SeedRun(scenario, seed, new ScenarioOptions()).Run(trace);
            if (result.Checker == PlantedScenario.Checker)
            {
                return Story.Of(trace, result);
            }
        }

        throw new InvalidOperationException("No seed had what was planted.");
    }

    private static void FailWhenAppliedThree(SimulatedCluster cluster)
    {
        SimulatedClient client = cluster.Clients[2];
        if (client.Node?.Find(SimulatedCluster.Application)?.Applied.Keys is { Release: >= 3 } keys)
        {
            var release = new ReleaseLabel(keys.Generation, keys.Release, keys.Id.ToString());
            cluster.World.Fail(PlantedScenario.Checker, $"{client.Machine} has {release}");
        }
    }

    private static void FailWhenStartedAgain(SimulatedCluster cluster)
    {
        SimulatedMachine machine = cluster.Clients[2].Machine;
        if (machine.StartCount > 1 && cluster.Clients.Count(c => c.Machine.StartCount > 1) > 1)
        {
            cluster.World.Fail(PlantedScenario.Checker, $"{machine} was started again");
        }
    }
}
