using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Simulator.Cluster.Applications;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Tests.Tracing;

public class TraceTests
{
    [Theory]
    [InlineData(HostScenario.Name, 4)]
    [InlineData(SmallScenario.Name, 1)]
    [InlineData(ClientsScenario.Name, 2)]
    [InlineData(OverloadScenario.Name, 3)]
    public void A_run_with_a_trace_is_the_run_without(string scenario, ulong seed)
    {
        var run = new SeedRun(
            ScenarioTable.Find(scenario)!, seed, new ScenarioOptions { Scenario = scenario, Seconds = 12, Nodes = 4 });
        var trace = new TraceLog { HasMessages = true };
        RunResult traced = run.Run(trace);
        RunResult plain = run.Run();
        Assert.Equal(plain.StateHash, traced.StateHash);
        Assert.Equal(plain.Violation, traced.Violation);
        Assert.NotEmpty(trace.Events);
        Assert.NotEmpty(trace.Messages);
    }

    [Fact]
    public void A_trace_has_every_publisher_and_the_newest_of_every_application()
    {
        var trace = new TraceLog();
        new SeedRun(new AppsScenario(), 4, new ScenarioOptions { Scenario = AppsScenario.Name, Seconds = 30, Nodes = 4 }).Run(trace);
        foreach (TraceKind kind in new[] { TraceKind.Asked, TraceKind.Answered })
        {
            IEnumerable<string> publishers = trace.Events.Where(e => e.Kind == kind).Select(e => e.Machines[0].Name).Distinct();
            Assert.Equal(6, publishers.Count(p => p.StartsWith("publisher", StringComparison.Ordinal)));
        }

        Assert.Contains(
            trace.Events, e => e.Kind == TraceKind.Ready && ApplicationMix.Names.All(a => e.Text.Contains(a, StringComparison.Ordinal)));
    }

    [Fact]
    public void A_trace_has_what_happened_to_releases_nodes_and_host()
    {
        var trace = new TraceLog();
        new SeedRun(new HostScenario(), 4, new ScenarioOptions { Seconds = 20, Nodes = 4 }).Run(trace);
        HashSet<TraceKind> kinds = [.. trace.Events.Select(e => e.Kind)];
        Assert.Superset(
            new HashSet<TraceKind>
            {
                TraceKind.Fault, TraceKind.Started, TraceKind.Crashed, TraceKind.Ready, TraceKind.Copied, TraceKind.Restored,
                TraceKind.Joined, TraceKind.Disconnected, TraceKind.Asked, TraceKind.Answered, TraceKind.Committed, TraceKind.Received,
                TraceKind.Deciding, TraceKind.Accepted, TraceKind.Applied, TraceKind.Persisted, TraceKind.CatchUp, TraceKind.WaitSent,
                TraceKind.WaitAnswered,
            },
            kinds);
        Assert.Empty(trace.Messages);
        Assert.Equal(trace.Events.Select(e => e.Ns).Order(), trace.Events.Select(e => e.Ns));
    }
}
