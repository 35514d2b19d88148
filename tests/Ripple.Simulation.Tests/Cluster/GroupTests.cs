using Ripple.Gms;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Tests.Cluster;

/// <summary>
/// A region's stream by multicast: whoever hears the group has it from there, everybody else by unicast, and none is starved.
/// </summary>
public sealed class GroupTests
{
    private const long SecondNs = 1_000_000_000;

    // Of clients 0 to 9, two cannot join (2, 7) and two hear nothing (3, 8); the publisher's is alone in its region.
    private const int Hearing = 6;

    [Fact]
    public void Those_who_hear_the_group_take_the_stream_from_it_and_the_others_by_unicast()
    {
        SimulatedCluster cluster = Make(groupsMax: 8);
        long members = 0;
        cluster.World.Scheduler.Schedule(15 * SecondNs, () => members = Counters(cluster).GroupMembers);
        cluster.Run();
        Assert.Equal(Hearing + 1, members);
        Assert.All(
            cluster.Clients, (c, i) => Assert.Equal(i % 5 is not (2 or 3), c.Node!.Counters.GroupPackets > cluster.CommittedCount / 2));
        Assert.All(cluster.Clients, c => Assert.Equal(0, c.Node!.Counters.CatchUps));
        // Both who cannot join are named at once, and the others after a while.
        Assert.Equal(4, Counters(cluster).GroupRefusals);
    }

    [Fact]
    public void A_group_that_goes_silent_is_given_up_and_taken_again_when_it_is_heard()
    {
        SimulatedCluster cluster = Make(groupsMax: 8);
        long silent = -1;
        long packets = 0;
        cluster.World.Scheduler.Schedule(10 * SecondNs, () => cluster.World.Network.AreGroupsSilent = true);
        cluster.World.Scheduler.Schedule(25 * SecondNs, () =>
        {
            silent = Counters(cluster).GroupMembers;
            packets = cluster.Clients[0].Node!.Counters.GroupPackets;
            cluster.World.Network.AreGroupsSilent = false;
        });
        cluster.Run();
        // The publisher's region has no releases, so nothing told that its group is silent.
        Assert.InRange(silent, 0, 1);
        Assert.Equal(Hearing + 1, Counters(cluster).GroupMembers);
        Assert.True(cluster.Clients[0].Node!.Counters.GroupPackets > packets + 5, "The stream did not come back to the group.");
        Assert.All(cluster.Clients, c => Assert.Equal(0, c.Node!.Counters.CatchUps));
    }

    [Fact]
    public void A_region_that_finds_no_group_free_has_unicast()
    {
        SimulatedCluster cluster = Make(groupsMax: 1);
        cluster.Run();
        Assert.Contains(cluster.Clients, c => c.Node!.Counters.GroupPackets == 0);
        Assert.InRange(Counters(cluster).GroupMembers, 1, Hearing);
    }

    private static SimulatedCluster Make(int groupsMax) => new(
        1,
        new ClusterOptions
        {
            GroupsMax = groupsMax,
            HasFaults = false,
            HasForger = false,
            DurationNs = 60 * SecondNs,
            QuietEndNs = 10 * SecondNs,
        });

    private static GmsCounters Counters(SimulatedCluster cluster) => cluster.Host.Gms!.Counters;
}
