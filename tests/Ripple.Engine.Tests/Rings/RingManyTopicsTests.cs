using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>A thousand topics in one ring: they share its rounds, and those that rest cost nothing.</summary>
public sealed class RingManyTopicsTests
{
    private const int Topics = 1_024;
    private const int RoundsMax = 30;

    [Theory]
    [InlineData(24, 0)]
    [InlineData(47, 0)]
    [InlineData(96, 24)]
    public void A_thousand_and_twenty_four_topics_released_at_once_are_proven_in_thirty_rounds(int members, int partMembers)
    {
        var net = new RingNet(members, partMembers: partMembers);
        ReleaseAll(net, 1);
        net.Install();
        long[] before = Rounds(net);
        for (ulong release = 1; release <= 4; release++)
        {
            ReleaseAll(net, release);
            RunUntilExact(net);
            long[] rounds = Rounds(net);
            Assert.All(rounds.Zip(before), r => Assert.InRange(r.First - r.Second, 1, RoundsMax));
            // Behind it the idle ring turns once a second.
            net.RunMs(3_000);
            before = Rounds(net);
        }
    }

    [Fact]
    public void What_others_have_to_tell_comes_in_ninety_rounds_where_the_leader_has_nothing()
    {
        var net = new RingNet(24);
        net.Install();
        net.RunMs(2_000);
        long before = net.Leader.Ring.Counters.Rounds;
        foreach (RingNet.Node node in net.Members.Values.Skip(1))
        {
            Release(node, 1);
        }

        RunUntilExact(net);
        // Half of each token is asked of all members once more, for what is not at the leader is not settled.
        Assert.InRange(net.Leader.Ring.Counters.Rounds - before, 1, 3 * RoundsMax);
    }

    [Fact]
    public void A_release_of_one_topic_is_told_in_one_round_beside_a_thousand_that_never_settle()
    {
        var net = new RingNet(24);
        ReleaseAll(net, 5);
        foreach (uint topic in Enumerable.Range(1, Topics - 1).Select(t => (uint)t))
        {
            net.Members[7].Has.Set(topic, 4, 4, 4);
        }

        net.Install();
        net.RunMs(10_000);
        RingRoundTests.SetAll(net, Topics, 6);
        long before = net.Leader.Ring.Counters.Rounds;
        net.Leader.Ring.OnChanged();
        net.RunMs(300);
        Assert.Equal(6ul, net.Sender.Of(24, Topics).Applied);
        Assert.True(IsExact(net));
        Assert.InRange(net.Leader.Ring.Counters.Rounds - before, 1, 2 * RoundsMax);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(13)]
    public void Topics_that_change_in_every_round_do_not_keep_a_member_from_telling_the_others(uint slot)
    {
        var net = new RingNet(24);
        net.Install();
        RingNet.Node node = net.Members[slot];
        Release(node, 1);
        for (ulong release = 2; net.NowNs < 2_000_000_000; release++)
        {
            for (uint topic = 1; topic <= RingLimits.TopicsMax; topic++)
            {
                node.Has.Set(topic, release, release, release);
            }

            node.Ring.OnChanged();
            net.RunMs(2);
        }

        Assert.Equal(1ul, net.Sender.Of(slot, Topics).Applied);
    }

    [Fact]
    public void Topics_that_change_at_all_members_in_every_round_leave_room_for_another()
    {
        var net = new RingNet(24);
        net.Install();
        for (ulong release = 1; net.NowNs < 2_000_000_000; release++)
        {
            for (uint topic = 1; topic <= RingLimits.TopicsMax; topic++)
            {
                RingRoundTests.SetAll(net, topic, release);
            }

            if (release == 100)
            {
                RingRoundTests.SetAll(net, Topics, 1);
            }

            net.Leader.Ring.OnChanged();
            net.Run(500_000);
        }

        Assert.Equal(1ul, net.Sender.Of(24, Topics).Applied);
    }

    [Fact]
    public void Topics_that_rest_are_not_read_when_a_token_passes()
    {
        long few = ReadsOfARelease(8);
        long many = ReadsOfARelease(Topics);
        // Look-ups among them halve.
        Assert.InRange(many, few, 4 * few);

        static long ReadsOfARelease(int topics)
        {
            var net = new RingNet(24);
            for (uint topic = 1; topic <= topics; topic++)
            {
                RingRoundTests.SetAll(net, topic, 1);
            }

            net.Install();
            RunUntilExact(net);
            net.RunMs(10_000);
            long before = net.Members.Values.Sum(n => n.Has.Reads);
            RingRoundTests.SetAll(net, 5, 2);
            net.Leader.Ring.OnChanged();
            net.RunMs(3_000);
            Assert.True(IsExact(net));
            return net.Members.Values.Sum(n => n.Has.Reads) - before;
        }
    }

    [Fact]
    public void A_view_tells_nothing_anew_that_the_sender_has()
    {
        var net = new RingNet(24);
        ReleaseAll(net, 1);
        net.Install();
        RunUntilExact(net);
        net.RunMs(3_000);
        long before = net.Members.Values.Sum(n => n.Has.Reads);
        int largest = 0;
        net.OnBytes = (_, frames) => largest = Math.Max(largest, frames.Length);
        net.Install(net.NextView(net.Members.Keys));
        net.RunMs(3_000);
        Assert.InRange(net.Leader.Ring.Counters.Rounds, 1, 60);
        Assert.InRange(net.Members.Values.Sum(n => n.Has.Reads) - before, 0, Topics);
        Assert.InRange(largest, 1, 150);
    }

    [Fact]
    public void What_was_not_told_in_a_view_is_told_in_the_next_by_another_leader()
    {
        var net = new RingNet(24);
        ReleaseAll(net, 1);
        // The sender hears nothing of this view.
        net.IsLost = (_, to, _) => to == 0;
        net.Install();
        net.RunMs(3_000);
        ReleaseAll(net, 2);
        net.Members[9].Has.Set(700, 2, 2, 1);
        net.Members[1].Crash();
        net.Members.Remove(1);
        net.IsLost = (_, _, _) => false;
        net.Install(net.NextView(net.Members.Keys));
        RunUntilExact(net);
        // Nobody tells the new leader of this: it has asked for all once, and so looks again.
        net.Members[9].Has.Set(700, 2, 2, 2);
        net.RunMs(300);
        Assert.Equal(2ul, net.Sender.Of(9, 700).Applied);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    public void In_an_interest_that_older_members_know_a_token_has_what_they_read(int interest)
    {
        var net = new RingNet(
            24, RingOptions.Default with { TopicsPerToken = RingLimits.TopicsMaxOf(interest) });
        int most = 0;
        var token = new RingToken();
        net.OnBytes = (to, frames) =>
        {
            if (frames[0] == (byte)FrameType.Token)
            {
                Assert.Equal(DecodeStatus.Ok, RingTokenCodec.TryRead(frames[FrameReader.HeaderBytes..], token));
                most = Math.Max(most, token.Topics.Length);
            }
        };
        for (uint topic = 1; topic <= 64; topic++)
        {
            RingRoundTests.SetAll(net, topic, 1);
        }

        net.Install();
        RunUntilExact(net);
        Assert.Equal(16, most);
        Assert.Equal(40, RingLimits.TopicsMaxOf(65));
    }

    private static void ReleaseAll(RingNet net, ulong release)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            Release(node, release);
        }
    }

    private static void Release(RingNet.Node node, ulong release)
    {
        for (uint topic = 1; topic <= Topics; topic++)
        {
            node.Has.Set(topic, release, release, release);
        }

        node.Ring.OnChanged();
    }

    private static long[] Rounds(RingNet net) => [.. net.Leaders.Select(l => l.Ring.Counters.Rounds)];

    private static void RunUntilExact(RingNet net)
    {
        long endNs = net.NowNs + 10_000_000_000;
        while (!IsExact(net))
        {
            net.RunMs(1);
            Assert.True(net.NowNs < endNs, $"{net.Sender.Levels.Count} rows");
        }
    }

    private static bool IsExact(RingNet net) => net.Members.Values.All(
        n => n.Has.Topics.Reverse().All(row => net.Sender.Of(n.Slot, row.Topic) == row));
}
