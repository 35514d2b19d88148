using Ripple.Gms;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Tests.Cluster;

/// <summary>
/// A member that hears no datagrams has what the others have, about when they have it, and comes back when it hears again; one that stands
/// still holds nobody up for long.
/// </summary>
public sealed class LeafRunTests
{
    private const long MillisecondNs = 1_000_000;
    private const long SecondNs = 1_000_000_000;
    private const long DeafNs = 10 * SecondNs;
    private const long HearsNs = 30 * SecondNs;
    private const int Nodes = 24;
    private const int Deaf = 4;
    private const int Neighbour = 5;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Who_takes_no_datagrams_is_a_leaf_within_three_seconds_and_has_each_release_with_the_others(ulong seed)
    {
        var cluster = new SimulatedCluster(
            seed,
            new ClusterOptions { Nodes = Nodes, HasFaults = false, HasForger = false, RejectShare = 0, PublishEveryNs = SecondNs / 5 });
        long leafNs = 0;
        ulong behindMax = 0;
        cluster.World.Scheduler.Schedule(DeafNs, () => cluster.Clients[Deaf].Machine.IsDeaf = true);
        cluster.World.Scheduler.Schedule(HearsNs, () => cluster.Clients[Deaf].Machine.IsDeaf = false);
        for (long ns = DeafNs; ns < HearsNs; ns += 50 * MillisecondNs)
        {
            long atNs = ns;
            cluster.World.Scheduler.Schedule(ns, () =>
            {
                leafNs = leafNs == 0 && Counters(cluster).LeavesMade > 0 ? atNs : leafNs;
                bool isJudged = atNs > DeafNs + (4 * SecondNs);
                ulong neighbours = Release(cluster.Clients[Neighbour]);
                ulong own = Release(cluster.Clients[Deaf]);
                behindMax = Math.Max(behindMax, isJudged && neighbours > own ? neighbours - own : 0);
            });
        }

        cluster.Run();

        Assert.InRange((leafNs - DeafNs) / (double)SecondNs, 1, 3);
        Assert.InRange(behindMax, 0UL, 1UL);
        Assert.Equal((1L, 0L, 0L), (Counters(cluster).LeavesMade, Counters(cluster).Failures, Counters(cluster).Leaves));
        Assert.False(cluster.Clients[Deaf].Node!.IsLeaf);
        Assert.NotNull(cluster.Clients[Deaf].Node!.Region);
    }

    [Fact]
    public void Who_stands_still_now_and_then_leaves_and_returns_and_the_window_of_the_others_does_not_stall()
    {
        SimulatedCluster cluster = MakeBusy();
        Pause(cluster, [Deaf]);
        cluster.Run();

        Assert.InRange(Counters(cluster).LeavesMade, 2, 5);
        Assert.Equal((0L, 0L), (Counters(cluster).Failures, cluster.Host.Gms!.Streams.Sum(s => s.Counters.Stalls)));
    }

    [Fact]
    public void Where_all_stand_still_at_a_time_nobody_leaves()
    {
        SimulatedCluster cluster = MakeBusy();
        Pause(cluster, [.. Enumerable.Range(0, Nodes)]);
        cluster.Run();

        Assert.Equal((0L, 0L), (Counters(cluster).LeavesMade, Counters(cluster).Failures));
    }

    /// <summary>Releases fill the window in a third of a second.</summary>
    private static SimulatedCluster MakeBusy() => new(
        seed: 1,
        new ClusterOptions
        {
            Nodes = Nodes,
            HasFaults = false,
            HasForger = false,
            RejectShare = 0,
            PublishEveryNs = SecondNs / 50,
            TuneHost = o => o with { Limits = o.Limits with { Stream = o.Limits.Stream with { WindowPackets = 16 } } },
        });

    private static void Pause(SimulatedCluster cluster, int[] nodes)
    {
        for (long ns = DeafNs; ns < HearsNs; ns += 5 * SecondNs)
        {
            cluster.World.Scheduler.Schedule(
                ns, () => Array.ForEach(nodes, i => cluster.Clients[i].Machine.Pause(900 * MillisecondNs)));
        }
    }

    /// <summary>The release that is in effect at a node.</summary>
    private static ulong Release(SimulatedClient client) => client.Node!.Applications.First().Applied.Keys.Release;

    private static GmsCounters Counters(SimulatedCluster cluster) => cluster.Host.Gms!.Counters;
}
