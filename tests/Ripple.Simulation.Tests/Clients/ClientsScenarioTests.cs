using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Tests.Clients;

public sealed class ClientsScenarioTests
{
    [Fact]
    public void One_seed_gives_one_run_with_real_clients()
    {
        RunResult first = Run(2);
        RunResult second = Run(2);

        Assert.Equal((first.Violation, first.StateHash), (second.Violation, second.StateHash));
        Assert.True(first.Committed > 5, $"only {first.Committed} releases were committed");
    }

    [Fact]
    public void Real_clients_publish_roll_back_read_wait_and_watch()
    {
        var cluster = new SimulatedCluster(
            1, new ClusterOptions { Nodes = 6, RealClientsEvery = 2, HasFaults = false, HasForger = false });

        cluster.Run();

        var publisher = (ClientPublisher)cluster.Publisher;
        Assert.True(publisher.AcknowledgedCount > 20, $"only {publisher.AcknowledgedCount} publishes");
        Assert.True(publisher.RolledBackCount > 0, "no rollback");
        Assert.True(publisher.ReadCount > 0, "no read");
        Assert.True(publisher.WaitOutcomes[0] > 5, "hardly a wait held");
        Assert.All(cluster.Clients.OfType<SimulatedRippleClient>(), c => Assert.True(c.WatchedCount > 10, $"{c.Machine} hardly watched"));
        Assert.All(
            cluster.Clients.OfType<SimulatedRippleClient>(),
            c => Assert.True(c.HistoryWatchedCount >= c.WatchedCount / 2, $"{c.Machine} hardly watched every release"));
        Assert.All(
            cluster.Clients.OfType<SimulatedRippleClient>(),
            c => Assert.True(c.Monitors.PointCount > 10, $"{c.Machine} hardly followed a predicate"));
    }

    private static RunResult Run(ulong seed) =>
        new ClientsScenario().Run(seed, new ScenarioOptions { Seconds = 45, Nodes = 6 });
}
