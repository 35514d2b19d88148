using Ripple.Engine.Core;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>Rounds beside what waits at the core which they share with it.</summary>
public sealed class RingBusyCoreTests
{
    private const uint Topic = 7;
    private const long Ms = 1_000_000;

    [Theory]
    [InlineData(0, 0)]
    [InlineData(2, 2)]
    [InlineData(60_000, 5)]
    public void A_round_for_a_change_is_put_off_while_data_waits_and_for_five_milliseconds_in_all(int dataMs, int waitedMs)
    {
        var net = new RingNet(10);
        long beganNs = 0;
        net.Install();
        net.RunMs(500);
        net.OnSent = (_, _, type) => beganNs = beganNs == 0 && type == FrameType.Token ? net.NowNs : beganNs;
        long changedNs = net.NowNs;
        net.Core.Add(new Data(net.Core, changedNs + (dataMs * Ms)));

        Set(net, 1);
        net.Leader.Ring.OnChanged();
        net.RunMs(20);

        RingOptions options = RingOptions.Default;
        Assert.InRange(beganNs - changedNs, waitedMs * Ms, (waitedMs * Ms) + options.PauseMinNs + options.DataWaitNs);
        Assert.All(net.Members.Keys, slot => Assert.Equal(1ul, net.Sender.Of(slot, Topic).Applied));
    }

    [Theory]
    [InlineData(false, false, 63, 70)]
    [InlineData(true, false, 47, 53)]
    [InlineData(true, true, 7, 11)]
    public void Rounds_for_what_changes_meanwhile_take_two_thirds_of_the_time_and_half_of_it_while_data_waits_and_little_when_it_is_late(
        bool hasData, bool isLate, int percentMin, int percentMax)
    {
        // Ten hops of a millisecond.
        var net = new RingNet(10) { DelayNs = (_, _, _) => Ms };
        net.Install();
        net.RunMs(100);
        if (hasData)
        {
            net.Core.Add(new Data(net.Core, long.MaxValue) { IsEndless = isLate });
        }

        int underWay = 0;
        for (int i = 1; i <= 6_000; i++)
        {
            if (net.TokensInFlight > 0)
            {
                // In the last two seconds: until then the leader learns what a round takes.
                underWay += i > 4_000 ? 1 : 0;
                Set(net, (ulong)i);
                net.Leader.Ring.OnChanged();
            }

            net.RunMs(1);
        }

        Assert.InRange(underWay / 20, percentMin, percentMax);
    }

    [Fact]
    public void A_round_that_a_late_core_put_off_begins_within_ten_milliseconds_when_it_is_late_no_more()
    {
        var net = new RingNet(10);
        net.Install();
        net.RunMs(500);
        MakeLate(net, net.NowNs + (45 * Ms));
        Set(net, 1);
        net.Leader.Ring.OnChanged();
        // One that is not held up, and one for what changed behind it.
        net.RunMs(5);
        Set(net, 2);
        net.Leader.Ring.OnChanged();
        net.RunMs(14);
        Assert.Equal(1ul, net.Sender.Of(net.Leader.Slot, Topic).Applied);

        net.RunMs(13);

        Assert.False(net.Core.IsDataLate);
        Assert.Equal(2ul, net.Sender.Of(net.Leader.Slot, Topic).Applied);
    }

    [Fact]
    public void A_pass_over_a_thousand_topics_is_not_held_up_at_each_of_its_rounds_though_data_is_late()
    {
        const uint Topics = 1_024;
        var net = new RingNet(10);
        net.Install();
        net.RunMs(500);
        MakeLate(net, long.MaxValue);
        foreach (RingNet.Node node in net.Members.Values)
        {
            for (uint topic = 1; topic <= Topics; topic++)
            {
                node.Has.Set(topic, 1, 1, 1);
            }

            node.Ring.OnChanged();
        }

        // 26 rounds of a millisecond, and pauses of ten. With a tenth of a second each it takes three seconds, and with the pause of a
        // core that is not late the rounds take half of the time from the data.
        net.RunMs(150);
        Assert.Contains(Enumerable.Range(1, (int)Topics), t => net.Sender.Of(10, (uint)t).Applied == 0);
        net.RunMs(350);
        Assert.All(Enumerable.Range(1, (int)Topics), t => Assert.Equal(1ul, net.Sender.Of(10, (uint)t).Applied));
    }

    [Fact]
    public void A_fast_stream_gets_a_round_each_time_half_a_window_has_come_though_data_is_late()
    {
        const ulong Packets = 40;
        var net = new RingNet(10);
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Streams.Add(new StreamProgress(RingNet.Origin, 0, 0));
        }

        net.Install();
        net.Core.Add(new Data(net.Core, long.MaxValue) { IsEndless = true });
        ulong unprovenMax = 0;
        for (ulong sent = Packets; sent <= 10_000 * Packets; sent += Packets)
        {
            foreach (RingNet.Node node in net.Members.Values)
            {
                node.Has.Streams[0] = new StreamProgress(RingNet.Origin, sent, sent);
                node.Ring.OnStreamProgress(Packets);
            }

            net.Run(100_000);
            unprovenMax = Math.Max(unprovenMax, sent - net.Sender.Streams.GetValueOrDefault(RingNet.Origin));
        }

        Assert.InRange(unprovenMax, 1ul, 2_048ul);
    }

    [Theory]
    [InlineData(0, 100)]
    [InlineData(200, 200)]
    [InlineData(60_000, 850)]
    public void A_round_is_not_given_up_while_its_token_may_lie_unread_for_three_quarters_of_a_second(int unreadMs, int givenUpMs)
    {
        var net = new RingNet(10, partMembers: 5);
        net.Install();
        net.RunMs(100);
        Set(net, 1);
        net.Leader.Ring.OnChanged();
        net.RunMs(500);
        Assert.True(net.Leader.Ring.Counters.QuietRounds > 0, "the next round is acknowledged");
        net.IsLost = (_, to, type) => to == 3 && type == FrameType.Token;
        net.Core.Add(new Unread(net.Core, net.NowNs + (unreadMs * Ms)));
        Set(net, 2);
        net.Leader.Ring.OnChanged();

        Assert.InRange(FirstMs(net, () => net.Leader.Ring.Counters.RoundsGivenUp), givenUpMs, givenUpMs + 15);
    }

    [Theory]
    [InlineData(false, 0, 50)]
    [InlineData(false, 200, 200)]
    [InlineData(false, 60_000, 800)]
    [InlineData(true, 0, 50)]
    [InlineData(true, 200, 200)]
    public void Hops_and_aggregates_are_not_repeated_while_the_answer_may_lie_unread_for_three_quarters_of_a_second(
        bool isAggregate, int unreadMs, int repeatedMs)
    {
        // The first round of a view is acknowledged, and no round trip was measured yet.
        (FrameType Type, uint To) lost = isAggregate ? (FrameType.Aggregate, 0u) : (FrameType.Token, 2u);
        var net = new RingNet(10) { IsLost = (_, to, type) => (type, to) == lost };
        net.Core.Add(new Unread(net.Core, net.NowNs + (unreadMs * Ms)));
        net.Install();

        Assert.InRange(FirstMs(net, () => net.Leader.Ring.Counters.Retransmits), repeatedMs, repeatedMs + 15);
    }

    [Fact]
    public void What_is_answered_late_because_it_lay_unread_is_not_repeated_and_does_not_teach_how_long_the_way_is()
    {
        // Of two seconds, so that there are rounds which no other follows before they are answered.
        var net = new RingNet(10) { DelayNs = (_, _, type) => type == FrameType.TokenAck ? 60 * Ms : Ms / 10 };
        net.Core.Add(new Unread(net.Core, net.NowNs + (2_000 * Ms)));
        net.Install();
        net.RunMs(1_900);
        net.DelayNs = (_, _, _) => Ms / 10;
        net.RunMs(100);
        Assert.All(net.Members.Values, n => Assert.Equal((0, 0), (n.Ring.Counters.Retransmits, n.Ring.Counters.Skips)));

        // An acknowledged round of another view, of which a hop is lost. The leader's own hops are answered by the round.
        net.IsLost = (_, to, type) => type == FrameType.Token && to == 4;
        net.Install(net.NextView(net.Members.Keys));
        Assert.InRange(FirstMs(net, () => net.Members[3].Ring.Counters.Retransmits), 10, 55);
    }

    [Fact]
    public void A_member_that_does_not_answer_is_skipped_after_three_quarters_of_a_second_and_two_tries_though_answers_may_lie_unread()
    {
        var net = new RingNet(10) { IsLost = (_, to, _) => to == 2 };
        net.Core.Add(new Unread(net.Core, long.MaxValue));
        net.Install();

        // The first try takes the whole wait: 50 ms and 750. The second has its own timeout alone, 100 ms.
        Assert.InRange(FirstMs(net, () => net.Leader.Ring.Counters.Skips), 900, 915);
    }

    [Fact]
    public void A_core_that_stood_still_looks_once_more_however_long_it_stood()
    {
        var net = new RingNet(10, partMembers: 5);
        net.Install();
        net.Run(RingOptions.Default.PauseMinNs + (Ms / 20));
        Assert.Equal((2, 2), (net.TokensInFlight, net.TokensSent));

        // What comes while nothing is handled for two seconds waits, and is handled within half a millisecond then.
        net.Core.Add(new Unread(net.Core, net.NowNs + (2_000 * Ms) + (Ms / 2)));
        net.StandStill(2_000 * Ms);
        net.RunMs(100);

        Assert.All(net.Members.Values, n => Assert.Equal((0, 0), (n.Ring.Counters.Retransmits, n.Ring.Counters.Skips)));
        Assert.All(net.Leaders, n => Assert.Equal(0, n.Ring.Counters.RoundsGivenUp));
    }

    [Fact]
    public void An_aggregate_is_repeated_after_three_quarters_of_a_second_though_its_acknowledgement_may_lie_unread()
    {
        // One round a second, so that no newer one overtakes the aggregate meanwhile.
        var net = new RingNet(10);
        net.Install();
        net.RunMs(5_000);
        long sentNs = 0;
        net.OnSent = (_, _, type) => sentNs = sentNs == 0 && type == FrameType.Aggregate ? net.NowNs : sentNs;
        net.IsLost = (_, _, type) => type == FrameType.Aggregate;
        net.Core.Add(new Unread(net.Core, long.MaxValue));

        long repeatedNs = net.NowNs + (FirstMs(net, () => net.Leader.Ring.Counters.Retransmits) * Ms);

        Assert.InRange((repeatedNs - sentNs) / Ms, 750, 780);
    }

    [Theory]
    [InlineData(0, 250)]
    [InlineData(251, 250)]
    [InlineData(400, 400)]
    [InlineData(60_000, 1_000)]
    public void The_second_member_waits_before_it_leads_as_long_as_the_token_of_the_first_may_lie_unread(int unreadMs, int leadsMs)
    {
        var net = new RingNet(10, partMembers: 5);
        net.Install();
        net.RunMs(500);
        net.IsLost = (from, _, _) => from == 1;
        net.Core.Add(new Unread(net.Core, net.NowNs + (unreadMs * Ms)));
        Set(net, 1);
        RingNet.Node second = net.Members[2];
        second.Ring.OnChanged();

        Assert.InRange(FirstMs(net, () => second.Ring.Counters.TakeOvers), leadsMs, leadsMs + 15);
    }

    /// <summary>Data waits from now on up to a time, and has done so for 25 ms.</summary>
    private static void MakeLate(RingNet net, long untilNs)
    {
        net.Core.Add(new Data(net.Core, untilNs) { IsEndless = true });
        for (int i = 0; i < 25; i++)
        {
            net.RunMs(1);
        }

        Assert.True(net.Core.IsDataLate);
    }

    private static long FirstMs(RingNet net, Func<long> counter)
    {
        long beganNs = net.NowNs;
        long before = counter();
        while (counter() == before)
        {
            net.RunMs(1);
            Assert.True(net.NowNs - beganNs < 5_000 * Ms, "it never came");
        }

        return (net.NowNs - beganNs) / Ms;
    }

    private static void Set(RingNet net, ulong release)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Set(Topic, release, release, release);
        }
    }

    /// <summary>A socket whose control packets the core does not get through, up to a time.</summary>
    private sealed class Unread(CoreLoop core, long untilNs) : IIoSource
    {
        public bool HasWaiting(PortLane lane) => lane == PortLane.Control && core.NowNs < untilNs;

        public int Drain(IoQueue queue, int packetsMax) => 0;
    }

    /// <summary>A packet of data in each turn, up to a time.</summary>
    private sealed class Data(CoreLoop core, long untilNs) : IIoSource, IDatagramHandler
    {
        /// <summary>Whether more waits outside the core.</summary>
        public bool IsEndless { get; init; }

        public bool HasWaiting(PortLane lane) => IsEndless && lane == PortLane.Data && core.NowNs < untilNs;

        public int Drain(IoQueue queue, int packetsMax)
        {
            if (core.NowNs >= untilNs || !queue.TryReserve(PortLane.Data, PortLimits.PacketBytesMin, out Span<byte> room))
            {
                return 0;
            }

            room.Clear();
            return queue.Commit(PortLane.Data, room.Length, this);
        }

        public void OnDatagram(Span<byte> datagram)
        {
        }
    }
}
