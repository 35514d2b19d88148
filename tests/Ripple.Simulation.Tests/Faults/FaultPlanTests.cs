using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Faults;

public class FaultPlanTests
{
    private static readonly FaultKind[] Planned =
    [
        FaultKind.LossBurst,
        FaultKind.DelayBurst,
        FaultKind.ReorderBurst,
        FaultKind.DuplicationBurst,
        FaultKind.CorruptionBurst,
        FaultKind.Partition,
        FaultKind.OneWayPartition, FaultKind.Pause, FaultKind.NodeCrash, FaultKind.NodeRestart, FaultKind.HostCrash, FaultKind.HostRestart,
    ];

    [Fact]
    public void One_seed_gives_one_timeline_and_another_seed_another()
    {
        Assert.Equal(TimelineOf(1), TimelineOf(1));
        Assert.NotEqual(TimelineOf(1), TimelineOf(2));

        static string[] TimelineOf(ulong seed) =>
            [.. new FaultPlan(MakeWorld(), new DeterministicRandom(seed)).Timeline.Select(f => f.ToString())];
    }

    [Fact]
    public void Over_some_seeds_every_kind_happens_and_is_counted()
    {
        var sum = new FaultCounters();
        for (ulong seed = 0; seed < 5; seed++)
        {
            SimulatedWorld world = RunPlan(seed, new FaultPlanOptions());
            foreach (FaultKind kind in Planned)
            {
                sum.Add(kind, world.Faults[kind]);
            }
        }

        Assert.All(Planned, kind => Assert.True(sum[kind] > 0, kind.ToString()));
    }

    [Fact]
    public void The_end_is_quiet_everybody_runs_and_reaches_everybody()
    {
        for (ulong seed = 0; seed < 10; seed++)
        {
            var options = new FaultPlanOptions();
            SimulatedWorld world = MakeWorld();
            Assert.All(new FaultPlan(world, new DeterministicRandom(seed), options).Timeline, fault =>
            {
                Assert.InRange(fault.StartNs, options.QuietStartNs, options.DurationNs - options.QuietEndNs);
                Assert.InRange(fault.EndNs, fault.StartNs, options.DurationNs - options.QuietEndNs);
            });
            world = RunPlan(seed, options);
            Assert.All(world.Machines, machine => Assert.True(machine.IsRunning));
            Assert.Equal(0, world.Connectivity.PartitionCount);
            Assert.Equal(world.Faults[FaultKind.NodeCrash], world.Faults[FaultKind.NodeRestart]);
            Assert.Equal(world.Faults[FaultKind.HostCrash], world.Faults[FaultKind.HostRestart]);
        }
    }

    [Fact]
    public void No_more_machines_are_down_than_may_be()
    {
        int nodesDown = 0;
        int nodesDownMost = 0;
        int hostsDown = 0;
        int hostsDownMost = 0;
        var options = new FaultPlanOptions
        {
            IntervalNs = 20 * Ms,
            NodesDownMax = 2,
            HostsDownMax = 1,
            Kinds = [FaultKind.NodeCrash, FaultKind.HostCrash],
            Crash = (machine, isSilent) =>
            {
                _ = machine.Peer.Kind == LinkPeerKind.Host ? hostsDown++ : nodesDown++;
                machine.Crash(isSilent);
                nodesDownMost = Math.Max(nodesDownMost, nodesDown);
                hostsDownMost = Math.Max(hostsDownMost, hostsDown);
            },
            Restart = machine =>
            {
                _ = machine.Peer.Kind == LinkPeerKind.Host ? hostsDown-- : nodesDown--;
                machine.Start();
            },
        };
        RunPlan(9, options);
        Assert.Equal(2, nodesDownMost);
        Assert.Equal(1, hostsDownMost);
        Assert.Equal(0, nodesDown + hostsDown);
    }

    [Fact]
    public void Counters_have_a_name_for_every_kind_and_for_those_of_the_scenario()
    {
        var counters = new FaultCounters();
        counters.Add(FaultKind.DatagramLost);
        counters.Add("lostWrites", 3);
        SortedDictionary<string, long> all = counters.ToSorted();
        Assert.Equal(1, all["datagramLost"]);
        Assert.Equal(0, all["hostCrash"]);
        Assert.Equal(3, all["lostWrites"]);
        Assert.Equal(Enum.GetValues<FaultKind>().Length + 1, all.Count);
    }

    private static SimulatedWorld RunPlan(ulong seed, FaultPlanOptions options)
    {
        SimulatedWorld world = MakeWorld();
        new FaultPlan(world, new DeterministicRandom(seed), options).Start();
        world.RunUntil(options.DurationNs);
        return world;
    }

    private static SimulatedWorld MakeWorld()
    {
        var world = new SimulatedWorld(1);
        world.AddHost("host1");
        world.AddHost("host2");
        for (int i = 0; i < 6; i++)
        {
            world.AddNode($"node{i}", i % 2 == 0 ? "east" : "west");
        }

        foreach (SimulatedMachine machine in world.Machines)
        {
            machine.Start();
        }

        return world;
    }
}
