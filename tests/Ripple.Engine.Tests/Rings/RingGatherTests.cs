using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>Leaders of several parts tell the sender through one of them.</summary>
public sealed class RingGatherTests
{
    private const uint Topic = 7;
    private ulong _level;

    [Fact]
    public void The_sender_hears_one_datagram_of_as_many_parts_as_are_gathered()
    {
        RingNet net = Net(members: 96, parts: 16, gathered: 4);
        Change(net);
        int datagrams = net.SenderDatagrams;
        int gathered = net.Gathered;
        int rounds = net.Sender.Aggregates;
        for (int i = 0; i < 20; i++)
        {
            Change(net);
            net.RunMs(200);
        }

        rounds = net.Sender.Aggregates - rounds;
        Assert.Equal(rounds, net.Gathered - gathered);
        Assert.InRange(rounds, 20 * 16, int.MaxValue);
        // Rounds that do not end within a millisecond of each other take one more now and then.
        Assert.InRange(net.SenderDatagrams - datagrams, rounds / 4, rounds / 2);
        Assert.Equal(0, net.Sender.Malformed);
        Assert.All(net.Members.Values, n => Assert.Equal((0L, 0L), (n.Ring.Counters.Refused, n.Ring.Counters.Retransmits)));
    }

    [Theory]
    [InlineData(8, 8, 0)]
    [InlineData(9, 8, 8)]
    [InlineData(64, 8, 8)]
    [InlineData(65, 8, 9)]
    [InlineData(100, 8, 13)]
    [InlineData(5, 2, 3)]
    [InlineData(100, 1, 0)]
    [InlineData(100, 0, 0)]
    [InlineData(2_400, 2, 255)]
    [InlineData(2_400, 300, 255)]
    public void As_many_parts_are_gathered_as_it_takes_for_so_many_datagrams(int parts, int datagramsMax, int together) =>
        Assert.Equal(together, AggregateRoute.PartsTogether(parts, datagramsMax));

    [Fact]
    public void Few_parts_and_those_that_nobody_asks_tell_straight()
    {
        RingNet few = Net(members: 24, parts: 4, gathered: 4);
        RingNet straight = Net(members: 96, parts: 16, gathered: 0);
        Change(few);
        Change(straight);
        Assert.Equal((0, 0), (few.Gathered, straight.Gathered));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(15)]
    public void A_leader_that_gathers_and_is_gone_costs_a_repeat_and_later_nothing(int pauseMs)
    {
        RingNet net = Net(members: 96, parts: 16, gathered: 4);
        Change(net);
        RingNet.Node gone = net.Leaders.ElementAt(4);
        gone.Mute();
        RegionPart part = net.View.PartAt(4);
        List<double> ms = [];
        for (int i = 0; i < 12; i++)
        {
            long beganNs = net.NowNs;
            Apply(net);
            RunUntilTold(net, slot => !part.Contains(net.View.PositionOf(slot)));
            ms.Add((net.NowNs - beganNs) / 1e6);
            net.RunMs(pauseMs);
        }

        // Two first tries are lost, then those of its group go straight, and stay so.
        Assert.InRange(ms.Max(), 1, 3 * RingOptions.Default.RtoInitialNs / 1e6);
        Assert.All(ms.TakeLast(8), last => Assert.InRange(last, 0, 10));
    }

    [Fact]
    public void Rounds_that_follow_each_other_sooner_than_a_repeat_do_not_all_go_to_one_that_is_gone()
    {
        RingNet net = Net(members: 96, parts: 16, gathered: 4);
        Change(net);
        net.Leaders.ElementAt(4).Mute();
        RegionPart part = net.View.PartAt(4);
        for (int i = 0; i < 50; i++)
        {
            Apply(net);
            net.RunMs(5);
        }

        RunUntilTold(net, slot => !part.Contains(net.View.PositionOf(slot)));
        Assert.InRange(net.NowNs, 1, 2_000_000_000);
    }

    [Fact]
    public void An_aggregate_that_fills_a_packet_by_itself_is_not_gathered()
    {
        const int Around = FrameReader.HeaderBytes + sizeof(uint);
        Assert.True(AggregateGatherer.Fits(WireLimits.FramesBytesMax - Around, WireLimits.FramesBytesMax));
        Assert.False(AggregateGatherer.Fits(WireLimits.FramesBytesMax - Around + 1, WireLimits.FramesBytesMax));
    }

    [Fact]
    public void Aggregates_that_fill_packets_are_told_all_the_same()
    {
        const int Topics = 16;
        var random = new DeterministicRandom(3);
        var net = new RingNet(120, partMembers: 24) { AggregateDatagramsMax = 2 };
        net.Install();
        net.RunMs(500);
        foreach (RingNet.Node node in net.Members.Values)
        {
            // No two alike, so that the runs of a topic are as long as they can be.
            for (uint topic = 1; topic <= Topics; topic++)
            {
                node.Has.Set(topic, 100 + (ulong)random.NextInt32(100), 50 + (ulong)random.NextInt32(50), (ulong)random.NextInt32(50));
            }

            node.Ring.OnChanged();
        }

        net.RunMs(20_000);
        Assert.InRange(net.Gathered, 1, net.Sender.Aggregates);
        Assert.All(net.Members.Values, n => Assert.All(
            n.Has.Topics, t => Assert.Equal(t.Received, net.Sender.Of(n.Slot, t.Topic).Received)));
    }

    [Fact]
    public void What_is_told_is_the_same_straight_and_gathered_under_loss_and_changes_of_the_view()
    {
        for (ulong seed = 1; seed <= 60; seed++)
        {
            var random = new DeterministicRandom(seed);
            RingNet net = Net(members: 36, parts: 12, gathered: 2 + random.NextInt32(4), seed);
            double loss = random.NextInt32(3) * 0.04;
            net.IsLost = (_, _, _) => random.NextBool(loss);
            net.DelayNs = (_, _, _) => 20_000 + random.NextInt32(2_000_000);
            for (int step = 0; step < 12; step++)
            {
                Apply(net);
                net.RunMs(random.NextInt32(40));
                if (random.NextBool(0.2))
                {
                    net.Install(net.NextView(net.Members.Keys));
                }
            }

            net.IsLost = (_, _, _) => false;
            net.RunMs(5_000);
            Assert.True(net.Gathered > 0, $"seed {seed}: nothing was gathered");
            Assert.Equal(0, net.Sender.Malformed);
            Assert.All(net.Members.Keys, slot => Assert.Equal(_level, net.Sender.Of(slot, Topic).Applied));
        }
    }

    [Fact]
    public void Who_does_not_gather_sends_nothing_on_and_an_ordinary_member_is_not_believed_to_lead()
    {
        RingNet net = Net(members: 96, parts: 16, gathered: 0);
        Change(net);
        RingNet.Node leader = net.Leaders.First();
        int datagrams = net.SenderDatagrams;
        leader.Ring.OnAggregateFrame(new byte[100], net.Leaders.ElementAt(1).Slot);
        Assert.Equal(0, leader.Ring.Counters.Refused);
        leader.Ring.OnAggregateFrame(new byte[100], leader.Slot + 1);
        leader.Ring.OnAggregateFrame(new byte[100], 9_999);
        Assert.Equal(2, leader.Ring.Counters.Refused);
        net.Run(RingOptions.Default.GatherNs);
        Assert.Equal(datagrams, net.SenderDatagrams);
    }

    private static RingNet Net(int members, int parts, int gathered, ulong seed = 1)
    {
        var net = new RingNet(members, seed: seed, partMembers: members / parts) { AggregateDatagramsMax = gathered };
        net.Install();
        net.RunMs(500);
        Assert.Equal(parts, net.View.PartCount);
        return net;
    }

    private void Change(RingNet net)
    {
        Apply(net);
        RunUntilTold(net, _ => true);
    }

    private void Apply(RingNet net)
    {
        _level++;
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Set(Topic, _level, _level, _level);
            node.Ring.OnChanged();
        }
    }

    private void RunUntilTold(RingNet net, Func<uint, bool> isAwaited)
    {
        long beganNs = net.NowNs;
        while (net.Members.Keys.Any(slot => isAwaited(slot) && net.Sender.Of(slot, Topic).Applied < _level))
        {
            net.Run(100_000);
            Assert.True(net.NowNs - beganNs < 5_000_000_000, "the change is not told");
        }
    }
}
