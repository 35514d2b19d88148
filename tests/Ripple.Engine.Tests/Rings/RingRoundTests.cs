using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

public sealed class RingRoundTests
{
    /// <summary>What a round of <see cref="Quick"/> takes: 200 hops of 20 us.</summary>
    private const long QuickRoundNs = 4_000_000;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    [InlineData(50)]
    [InlineData(500)]
    public void One_round_gives_exact_levels_of_every_member(int memberCount)
    {
        var net = new RingNet(memberCount);
        foreach (RingNet.Node node in net.Members.Values)
        {
            // Three kinds of members, in blocks: those with everything, those that have not applied, and those behind.
            ulong received = node.Slot % 50 < 30 ? 900u : node.Slot % 50 < 40 ? 899u : 880u;
            node.Has.Set(7, received, received - 1, received - (node.Slot % 50 < 20 ? 0u : 2u));
            node.Has.Streams.Add(new StreamProgress(RingNet.Origin, 1_000 + node.Slot, 2_000));
        }

        net.Install();
        while (net.Sender.Aggregates == 0)
        {
            net.Run(100_000);
            Assert.True(net.NowNs < 240_000_000, "no round came to its end");
        }

        Assert.Equal(1, net.Leader.Ring.Counters.Rounds);
        foreach (RingNet.Node node in net.Members.Values)
        {
            Assert.Equal(node.Has.Topics[0], net.Sender.Of(node.Slot, 7));
        }

        Assert.Equal(1_001ul, net.Sender.Streams[RingNet.Origin]);
        Assert.Empty(net.Sender.Silent);
    }

    [Fact]
    public void Changes_start_rounds_and_an_idle_ring_turns_once_a_second()
    {
        var net = new RingNet(5);
        SetAll(net, 7, 10);
        net.Install();
        net.RunMs(3_000);
        long idle = net.Leader.Ring.Counters.Rounds;
        Assert.InRange(idle, 3, 5);
        net.RunMs(10_000);
        Assert.InRange(net.Leader.Ring.Counters.Rounds - idle, 9, 11);

        SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(2);
        Assert.Equal(11ul, net.Sender.Of(5, 7).Applied);
    }

    [Theory]
    [InlineData(20)]
    [InlineData(200)]
    public void A_ring_learns_to_start_its_round_when_the_last_member_has_changed(int memberCount)
    {
        // A hop is quick and members change one after the other, as a host that sends to each in turn makes them.
        var net = new RingNet(memberCount) { DelayNs = (_, _, _) => 20_000 };
        SetAll(net, 7, 1);
        net.Install();
        net.RunMs(200);
        long rounds = 0;
        const ulong Last = 120;
        for (ulong release = 2; release <= Last; release++)
        {
            rounds = release == Last / 2 ? net.Leader.Ring.Counters.Rounds : rounds;
            foreach (RingNet.Node node in net.Members.Values)
            {
                // Changes come in a turn, at its time.
                net.Core.DoWork(net.NowNs);
                node.Has.Set(7, release, release, release);
                node.Ring.OnChanged();
                // Slower than the token, so that a round that starts at the first change overtakes the changes.
                net.Run(25_000);
            }

            net.RunMs(40);
            Assert.Equal(release, net.Sender.Of((uint)memberCount, 7).Applied);
        }

        double roundsPerRelease = (net.Leader.Ring.Counters.Rounds - rounds) / (double)(Last / 2);
        Assert.InRange(roundsPerRelease, 1, 1.6);
    }

    [Fact]
    public void Changes_that_come_while_rounds_turn_do_not_make_the_next_rounds_late()
    {
        RingNet net = Quick();
        ulong release = 1;
        for (int i = 0; i < 160; i++)
        {
            Change(net, ++release, stuck: 0);
            net.Run(i < 100 ? QuickRoundNs / 2 : 5 * QuickRoundNs / 2);
        }

        for (int i = 0; i < 30; i++)
        {
            Change(net, ++release, stuck: 0);
            net.Run(2 * QuickRoundNs);
            Assert.Equal(release, net.Sender.Of(200, 7).Applied);
            net.Run(QuickRoundNs / 2);
        }
    }

    [Theory]
    [InlineData(150, 0)]
    [InlineData(0, 150)]
    public void A_member_that_stays_behind_does_not_make_the_rounds_late_that_prove_the_others(uint stuck, uint stuckInAnother)
    {
        RingNet net = Quick();
        SetAll(net, 8, 5);
        if (stuckInAnother > 0)
        {
            // It has rejected the newest release there.
            net.Members[stuckInAnother].Has.Set(8, 5, 5, 4);
        }

        int inTime = 0;
        for (ulong release = 2; release < 72; release++)
        {
            Change(net, release, stuck);
            net.Run(2 * QuickRoundNs);
            inTime += release >= 42 && net.Sender.Of(200, 7).Applied == release ? 1 : 0;
            net.RunMs(290);
        }

        // The ring turns now and then for the stuck one alone, and a change may have to wait for such a round.
        Assert.InRange(inTime, 25, 30);
    }

    [Fact]
    public void An_unsettled_ring_turns_slower_and_slower_and_faster_again_after_a_change()
    {
        var net = new RingNet(3);
        SetAll(net, 7, 10);
        net.Members[3].Has.Set(7, 9, 9, 9);
        net.Install();
        net.RunMs(2_000);
        long early = net.Leader.Ring.Counters.Rounds;
        // 1 + 2 + 4 ... 64 ms, then every 100 ms.
        Assert.InRange(early, 20, 30);
        net.RunMs(5_000);
        Assert.InRange(net.Leader.Ring.Counters.Rounds - early, 4, 7);

        net.Members[3].Has.Set(7, 10, 9, 9);
        net.RunMs(1_000);
        long afterChange = net.Leader.Ring.Counters.Rounds;
        net.RunMs(1_000);
        Assert.InRange(net.Leader.Ring.Counters.Rounds - afterChange, 8, 20);
        Assert.Equal(10ul, net.Sender.Of(3, 7).Received);
        Assert.Equal(9ul, net.Sender.Of(3, 7).Applied);
    }

    [Fact]
    public void A_token_is_in_flight_once_whatever_changes_meanwhile()
    {
        var net = new RingNet(20);
        SetAll(net, 7, 1);
        net.Install();
        for (ulong release = 2; release < 500; release++)
        {
            SetAll(net, 7, release);
            foreach (RingNet.Node node in net.Members.Values)
            {
                node.Ring.OnChanged();
            }

            net.Run(300_000);
        }

        Assert.Equal(1, net.TokensInFlightMax);
        Assert.True(net.Leader.Ring.Counters.Rounds > 30);
        net.RunMs(2_000);
        Assert.Equal(499ul, net.Sender.Of(20, 7).Applied);
    }

    [Fact]
    public void Floors_come_down_with_the_next_token()
    {
        var net = new RingNet(4);
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Streams.Add(new StreamProgress(RingNet.Origin, 50, 50));
        }

        net.Floor = 40;
        net.Install();
        net.RunMs(2_500);
        net.Floor = 50;
        net.RunMs(2_500);
        foreach (RingNet.Node node in net.Members.Values)
        {
            Assert.Equal([(RingNet.Origin, 40ul), (RingNet.Origin, 50ul)], node.Has.Floors);
        }
    }

    [Fact]
    public void Rejections_arrive_by_name_however_many_reject()
    {
        var net = new RingNet(120);
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Set(7, 10, 10, 9);
            node.Has.Rejections.Add(
                new RejectionRow(7, 1, 10, $"Member {node.Slot}: 'Limits:Max' must be at most 100, and this is {new string('é', 60)}."));
        }

        net.Install();
        net.RunMs(5_000);
        Assert.Equal(120, net.Sender.Rejections.Count);
        Assert.All(net.Sender.Rejections, r => Assert.StartsWith($"Member {r.Slot}: ", r.Reason, StringComparison.Ordinal));
        Assert.All(net.Sender.Rejections, r => Assert.InRange(System.Text.Encoding.UTF8.GetByteCount(r.Reason), 78, 80));
        long sent = net.Leader.Ring.Counters.AggregatesSent;
        net.Sender.Rejections.Clear();
        net.RunMs(5_000);
        Assert.True(net.Leader.Ring.Counters.AggregatesSent > sent);
        Assert.Empty(net.Sender.Rejections);
    }

    [Fact]
    public void Members_with_a_newer_generation_are_told_of_though_the_leader_has_the_old_one()
    {
        var net = new RingNet(4);
        SetAll(net, 7, 10);
        net.Members[3].Has.Set(7, 12, 12, 12, 2);
        net.Install();
        net.RunMs(1_000);
        Assert.Equal(new LevelRow(7, 2, 12, 12, 12), net.Sender.Of(3, 7));
        Assert.Equal(10ul, net.Sender.Of(4, 7).Received);
        SetAll(net, 7, 12, 2);
        net.Leader.Ring.OnChanged();
        net.RunMs(1_000);
        Assert.All(net.Members.Keys, slot => Assert.Equal(new LevelRow(7, 2, 12, 12, 12), net.Sender.Of(slot, 7)));
    }

    /// <summary>A ring whose members change all at once, so that the best round starts at once.</summary>
    private static RingNet Quick()
    {
        var net = new RingNet(200) { DelayNs = (_, _, _) => 20_000 };
        SetAll(net, 7, 1);
        net.Install();
        net.RunMs(200);
        return net;
    }

    /// <summary>All have a release now, but for one.</summary>
    private static void Change(RingNet net, ulong release, uint stuck)
    {
        // Changes come in a turn, at its time.
        net.Core.DoWork(net.NowNs);
        foreach (RingNet.Node node in net.Members.Values)
        {
            if (node.Slot != stuck)
            {
                node.Has.Set(7, release, release, release);
                node.Ring.OnChanged();
            }
        }
    }

    internal static void SetAll(RingNet net, uint topic, ulong release, uint generation = 1)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Set(topic, release, release, release, generation);
        }
    }
}
