using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

public sealed class RingBudgetTests
{
    [Theory]
    [InlineData(200, 1)]
    [InlineData(500, 1)]
    [InlineData(500, 5)]
    [InlineData(500, 5, WireLimits.DatagramBytesMin)]
    [InlineData(WireLimits.RegionMembersMax, 1)]
    public void Levels_that_exceed_the_budget_arrive_over_several_rounds(
        int memberCount, int topicCount, int datagramBytes = WireLimits.DatagramBytesMax)
    {
        var net = new RingNet(memberCount, framesBytesMax: WireLimits.FramesBytesMax - (WireLimits.DatagramBytesMax - datagramBytes));
        var random = new DeterministicRandom(3);
        foreach (RingNet.Node node in net.Members.Values)
        {
            for (uint topic = 1; topic <= topicCount; topic++)
            {
                ulong received = 1_000 - (ulong)random.NextInt32(100);
                ulong persisted = received - (ulong)random.NextInt32(50);
                node.Has.Set(topic, received, persisted, persisted - (ulong)random.NextInt32(50));
            }
        }

        net.Install();
        int last = 0;
        while (net.NowNs < 60_000_000_000 && !IsExact(net))
        {
            net.RunMs(memberCount > 1_000 ? 500 : 10);
            RingPropertyTests.AssertNeverAboveTruth(net);
            Assert.True(net.Sender.Levels.Count >= last);
            last = net.Sender.Levels.Count;
        }

        Assert.True(
            IsExact(net), $"{net.Sender.Levels.Count} of {memberCount * topicCount} rows after {net.Leader.Ring.Counters.Rounds} rounds");
        Assert.True(net.Leader.Ring.Counters.Rounds > 1);
        RingRoundTests.SetAll(net, 1, 1_000);
        net.RunMs(3_000);
        Assert.All(net.Members.Keys, slot => Assert.Equal(1_000ul, net.Sender.Of(slot, 1).Applied));
    }

    [Fact]
    public void More_topics_than_a_token_holds_take_turns()
    {
        var net = new RingNet(5);
        for (uint topic = 1; topic <= 60; topic++)
        {
            RingRoundTests.SetAll(net, topic, topic * 10);
        }

        net.Install();
        net.RunMs(100);
        Assert.True(IsExact(net));
        Assert.Equal(300, net.Sender.Levels.Count);
    }

    [Fact]
    public void Topics_that_stay_unsettled_do_not_starve_the_others()
    {
        var net = new RingNet(5);
        for (uint topic = 1; topic <= 40; topic++)
        {
            RingRoundTests.SetAll(net, topic, 10);
            net.Members[4].Has.Set(topic, 10, 10, 9);
        }

        net.Install();
        net.RunMs(5_000);
        RingRoundTests.SetAll(net, 41, 5);
        net.Leader.Ring.OnChanged();
        net.RunMs(20);
        Assert.Equal(5ul, net.Sender.Of(5, 41).Applied);
        Assert.True(IsExact(net));
    }

    [Fact]
    public void A_member_too_far_behind_is_unknown_until_it_comes_near()
    {
        var net = new RingNet(5);
        RingRoundTests.SetAll(net, 7, 10_000);
        net.Members[4].Has.Set(7, 9_000, 9_000, 9_000);
        net.Install();
        net.RunMs(2_000);
        Assert.Equal(0ul, net.Sender.Of(4, 7).Received);
        Assert.Equal(10_000ul, net.Sender.Of(5, 7).Received);
        net.Members[4].Has.Set(7, 9_900, 9_800, 9_700);
        net.RunMs(2_000);
        Assert.Equal(new LevelRow(7, 1, 9_900, 9_800, 0), net.Sender.Of(4, 7));
    }

    [Theory]
    [InlineData(WireLimits.DatagramBytesMax)]
    [InlineData(WireLimits.DatagramBytesMin)]
    public void Rejections_find_room_beside_levels_that_fill_the_packet(int datagramBytes)
    {
        var net = new RingNet(300, framesBytesMax: WireLimits.FramesBytesMax - (WireLimits.DatagramBytesMax - datagramBytes));
        var random = new DeterministicRandom(3);
        foreach (RingNet.Node node in net.Members.Values)
        {
            ulong applied = 1_000 - (ulong)random.NextInt32(100);
            node.Has.Set(7, 1_000, 1_000 - (ulong)random.NextInt32(100), applied);
            node.Has.Rejections.Add(new RejectionRow(7, 1, applied + 1, new string('x', 200)));
        }

        net.Install();
        net.RunMs(60_000);
        Assert.Equal(300, net.Sender.Rejections.Count);
        Assert.True(IsExact(net));
    }

    private static bool IsExact(RingNet net)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            foreach (LevelRow row in node.Has.Topics)
            {
                if (net.Sender.Of(node.Slot, row.Topic) != row)
                {
                    return false;
                }
            }
        }

        return true;
    }
}
