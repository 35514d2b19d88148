using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>Rounds whose hops are not acknowledged: the next token is the acknowledgement of the last.</summary>
public sealed class RingQuietTests
{
    private const uint Topic = 7;

    [Fact]
    public void Only_the_first_round_of_a_view_is_acknowledged_hop_by_hop_while_nothing_is_lost()
    {
        var net = new RingNet(10, partMembers: 24);
        int acknowledged = 0;
        net.OnSent = (_, _, type) => acknowledged += type == FrameType.TokenAck ? 1 : 0;
        SetAll(net, 1);
        net.Install();
        net.RunMs(5_000);
        Assert.Equal(10, acknowledged);
        Assert.Equal(net.Leader.Ring.Counters.Rounds - 1, net.Leader.Ring.Counters.QuietRounds);
        Assert.True(net.Leader.Ring.Counters.QuietRounds > 3);

        net.Install(net.NextView(net.Members.Keys));
        net.RunMs(5_000);
        Assert.Equal(20, acknowledged);
    }

    [Fact]
    public void A_ring_with_a_member_that_does_not_know_of_them_acknowledges_every_hop()
    {
        var net = new RingNet(10);
        SetAll(net, 1);
        net.Install();
        net.RunMs(5_000);
        Assert.Equal(0, net.Leader.Ring.Counters.QuietRounds);
        Assert.True(net.Leader.Ring.Counters.Rounds > 3);
    }

    [Fact]
    public void A_lost_quiet_token_costs_one_acknowledged_round_and_nobody_is_called_silent()
    {
        var net = new RingNet(10, partMembers: 24);
        SetAll(net, 1);
        net.Install();
        net.RunMs(3_000);
        long quiet = net.Leader.Ring.Counters.QuietRounds;
        Assert.True(quiet > 0);
        bool isLost = false;
        net.IsLost = (from, _, type) =>
        {
            bool loses = !isLost && type == FrameType.Token && from == 5;
            isLost |= loses;
            return loses;
        };
        int acknowledged = 0;
        net.OnSent = (_, _, type) => acknowledged += type == FrameType.TokenAck ? 1 : 0;

        SetAll(net, 2);
        net.Leader.Ring.OnChanged();
        long beganNs = net.NowNs;
        while (net.Sender.Of(10, Topic).Applied < 2)
        {
            net.RunMs(1);
            Assert.Empty(net.Sender.Silent);
            Assert.True(net.NowNs - beganNs <= net.Options.QuietTimeoutMinNs + 20_000_000, "the loss costs more than one timeout");
        }

        Assert.True(isLost);
        Assert.Equal((1, 10), (net.Leader.Ring.Counters.RoundsGivenUp, acknowledged));
        net.RunMs(5_000);
        Assert.Equal(10, acknowledged);
        Assert.True(net.Leader.Ring.Counters.QuietRounds > quiet);
    }

    [Fact]
    public void Only_an_acknowledged_round_finds_out_who_is_silent_and_rounds_stay_so_until_it_speaks()
    {
        var net = new RingNet(10, partMembers: 24);
        SetAll(net, 1);
        net.Install();
        net.RunMs(500);
        net.Members[6].Mute();
        SetAll(net, 2);
        net.Leader.Ring.OnChanged();
        net.RunMs(3_000);
        Assert.Equal([6u], net.Sender.Silent);
        long quiet = net.Leader.Ring.Counters.QuietRounds;
        net.RunMs(5_000);
        Assert.Equal(quiet, net.Leader.Ring.Counters.QuietRounds);

        net.Members[6].Unmute();
        net.RunMs(5_000);
        Assert.Empty(net.Sender.Silent);
        Assert.Equal(2ul, net.Sender.Of(6, Topic).Applied);
        Assert.True(net.Leader.Ring.Counters.QuietRounds > quiet);
    }

    [Fact]
    public void Where_quiet_rounds_are_lost_again_and_again_few_of_them_are_tried()
    {
        var net = new RingNet(20, partMembers: 24);
        int tokens = 0;
        net.IsLost = (_, _, type) => type == FrameType.Token && ++tokens % 15 == 0;
        SetAll(net, 1);
        net.Install();
        ulong release = 1;
        for (int i = 0; i < 300; i++)
        {
            SetAll(net, ++release);
            net.Leader.Ring.OnChanged();
            net.RunMs(100);
        }

        Assert.InRange(net.Leader.Ring.Counters.RoundsGivenUp, 1, 40);
        Assert.Equal(release, net.Sender.Of(20, Topic).Applied);
    }

    private static void SetAll(RingNet net, ulong release)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Set(Topic, release, release, release);
        }
    }
}
