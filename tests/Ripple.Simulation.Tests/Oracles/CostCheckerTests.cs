using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Network;
using Ripple.Simulator.Oracles.Costs;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Tests.Oracles;

public class CostCheckerTests
{
    private static readonly ScenarioOptions Options = new() { Nodes = 4, Seconds = 60 };

    [Theory]
    [InlineData(12)]
    [InlineData(13)]
    [InlineData(14)]
    [InlineData(15)]
    public void What_is_usual_is_not_too_much(ulong seed)
    {
        RunResult first = new CostsScenario().Run(seed, Options);
        RunResult second = new CostsScenario().Run(seed, Options);

        Assert.Null(first.Violation);
        Assert.True(first.Committed > 20, $"only {first.Committed} releases were committed");
        Assert.True(first.Waits > 10, $"only {first.Waits} waits ended");
        Assert.Equal(first.StateHash, second.StateHash);
    }

    [Fact]
    public void A_node_that_is_told_late_is_found()
    {
        SimulatedCluster cluster = Run(12);
        var delays = new DelayChecker(cluster.World, cluster, new CostLimits { NearNs = 300_000, FarNs = 1_000_000_000 });

        Assert.Contains("has Received", Assert.Throws<InvariantViolationException>(delays.CheckEnd).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Who_waits_and_is_told_late_is_found() =>
        Find("Delays", "was told to hold", cluster => cluster.World.Paths.Disturb(
            new PathProfile { LatencyNs = 400_000_000 }, cluster.Publisher.Client.Machine));

    [Fact]
    public void What_comes_twice_is_found() =>
        Find("Counts", "datagrams refused", cluster => cluster.World.Paths.Disturb(new PathProfile { Duplication = 0.5 }));

    [Fact]
    public void A_loss_that_nobody_expects_is_found()
    {
        // One without long values, of which some packets may be lost.
        SimulatedCluster cluster = Run(19);
        var limits = new CostLimits { TokenRetransmits = 1_000, StrayTokens = 1_000 };
        var counts = new CountChecker(cluster.World, cluster, CostEvent.Loss, limits);

        Assert.Contains(
            "requests for repair", Assert.Throws<InvariantViolationException>(counts.CheckEnd).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_was_counted_and_never_happened_is_found() => Find("Counts", "publishes refused; there were", cluster =>
        cluster.World.Scheduler.Schedule(59_000_000_000, () => cluster.Host.Gms!.Counters.PublishesRefused++));

    [Fact]
    public void A_counter_that_falls_is_found() => Find("Counters", "Joins of GmsCounters is 4 and was 5", cluster =>
        cluster.World.Scheduler.Schedule(30_000_000_000, () => cluster.Host.Gms!.Counters.Joins--));

    [Fact]
    public void Who_works_at_rest_is_found() => Find("Rest", "turns of client1", cluster =>
    {
        SimulatedMachine machine = cluster.Clients[1].Machine;
        cluster.World.Scheduler.Schedule(52_000_000_000, Work);

        void Work()
        {
            machine.Wake();
            cluster.World.Scheduler.Schedule(10_000_000, Work);
        }
    });

    [Fact]
    public void A_row_that_is_not_the_truth_at_the_end_is_found() => Find("Rows", "at the end the host says of client1", cluster =>
        cluster.World.Scheduler.Schedule(59_999_000_000, () =>
        {
            var table = cluster.Host.Gms!.FrontierOf(SimulatedCluster.Application)!.Table;
            var row = table.Rows.First(r => r.Member.Name == "client1");
            table.Report(row, row.Generation, row.Received + 1, 0, 0, isDirect: false);
        }));

    private static SimulatedCluster Run(ulong seed)
    {
        var cluster = new SimulatedCluster(seed, CostsScenario.OptionsOf(seed, Options));
        cluster.Run();
        return cluster;
    }

    private static void Find(string checker, string message, Action<SimulatedCluster> disturb)
    {
        var cluster = new SimulatedCluster(12, CostsScenario.OptionsOf(12, Options));
        disturb(cluster);

        InvariantViolationException violation = Assert.Throws<InvariantViolationException>(cluster.Run);

        Assert.Equal(checker, violation.Checker);
        Assert.Contains(message, violation.Message, StringComparison.Ordinal);
    }
}
