using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Tests.Cluster;

public sealed class HostScenarioTests
{
    private static readonly HostScenario Scenario = new();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(8)]
    public void Every_invariant_holds_under_faults(ulong seed)
    {
        RunResult result = Scenario.Run(seed, new ScenarioOptions());

        Assert.Null(result.Violation);
        // A run in which nothing happened proves nothing.
        Assert.True(result.Committed > 5, $"only {result.Committed} releases were committed");
        Assert.True(result.Applied > 50, $"only {result.Applied} states were applied");
        Assert.True(result.Faults.Values.Sum() > 100, "hardly anything went wrong");
    }

    [Fact]
    public void One_seed_gives_one_run()
    {
        RunResult first = Scenario.Run(4, new ScenarioOptions());
        RunResult second = Scenario.Run(4, new ScenarioOptions());
        RunResult other = Scenario.Run(5, new ScenarioOptions());

        Assert.Equal(first.StateHash, second.StateHash);
        Assert.NotEqual(first.StateHash, other.StateHash);
    }

    [Fact]
    public void Nodes_of_one_interest_in_many_small_regions_converge()
    {
        var cluster = new SimulatedCluster(7, new ClusterOptions { Nodes = 14, RegionMembersMax = 2 });

        cluster.Run();

        // Nine nodes of one zone, two a region, beside the other zone's and the publisher's.
        Assert.True(cluster.RegionsMax >= 7, $"only {cluster.RegionsMax} regions");
        Assert.True(cluster.CommittedCount > 5, $"only {cluster.CommittedCount} releases were committed");
        Assert.True(cluster.Publisher.WaitOutcomes[0] > 0, "no wait held");
    }
}
