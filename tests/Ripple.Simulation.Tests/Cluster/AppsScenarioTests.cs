using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Testing.Clients;
using Ripple.Testing.Cluster;
using Ripple.Testing.Cluster.Applications;

namespace Ripple.Simulation.Tests.Cluster;

public sealed class AppsScenarioTests
{
    [Fact]
    public void One_seed_gives_one_run_with_several_applications()
    {
        RunResult first = Run(1);
        RunResult second = Run(1);

        Assert.Null(first.Violation);
        Assert.Equal(first.StateHash, second.StateHash);
        Assert.True(first.Committed > 40, $"only {first.Committed} releases were committed");
        Assert.True(first.Applied > 100, $"only {first.Applied} states were applied");
    }

    [Fact]
    public void Every_application_has_releases_at_those_who_want_them()
    {
        ClusterOptions options = AppsScenario.OptionsOf(2, new ScenarioOptions { Nodes = 8, Seconds = 40 }) with
        {
            HasFaults = false,
            HasForger = false,
        };
        var cluster = new SimulatedCluster(2, options);

        cluster.Run();

        Assert.Equal(6, cluster.Publishers.Count);
        foreach (string application in ApplicationMix.Names)
        {
            ulong newest = cluster.Reference.NewestOf(application)!.Release;
            Assert.True(newest > 10, $"{application} has {newest} releases");
            Assert.True(cluster.Clients.Count(c => c.Node!.Find(application)?.Received.Keys.Release == newest) >= 3);
        }

        Assert.Contains(cluster.Clients, c => c is SimulatedRippleClient && c.Applications.Count() > 1);
        Assert.Contains(cluster.Clients, c => !Enumerable.Range(0, 8).All(k => c.Wants("shop", $"key-{k}")));
        Assert.True(cluster.Publishers.Sum(p => p.WaitOutcomes[0]) > 20, "hardly a wait held");
        Assert.True(cluster.Publishers.Sum(p => ((ClientPublisher)p).RolledBackCount) > 0, "no rollback");
    }

    private static RunResult Run(ulong seed) =>
        new AppsScenario().Run(seed, new ScenarioOptions { Seconds = 45, Nodes = 6 });
}
