using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Testing.Cluster;

namespace Ripple.Simulation.Tests.Clients;

/// <summary>Nodes that reject the newest release, and have none, start from an earlier one, amid the faults of the scenarios.</summary>
public sealed class PastReleaseTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void Some_nodes_of_a_run_start_from_an_earlier_release_and_no_checker_objects(int hostedEvery)
    {
        long count = 0;
        for (ulong seed = 4; seed <= 48 && count == 0; seed += 4)
        {
            ClusterOptions options = ClientsScenario.OptionsOf(seed, new ScenarioOptions { Seconds = 30, Nodes = 6 });
            var cluster = new SimulatedCluster(seed, options with { HostedEvery = hostedEvery });
            cluster.Run();
            count += cluster.Oracles.PastCount;
        }

        Assert.NotEqual(0, count);
    }
}
