using Ripple.Engine.Protocol.Views;
using Ripple.Gms.Regions;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>Views come no faster than rounds can end, and no slower than they must.</summary>
public sealed class ViewPaceTests
{
    private const long MsNs = HostRig.MillisecondNs;
    private readonly ViewPace _pace = new();

    [Fact]
    public void The_first_view_waits_for_nothing() => Assert.Equal(0, _pace.NextNs(told: 0, members: 0, changes: 1, isLed: false));

    [Fact]
    public void A_view_waits_for_a_round_of_the_one_before_and_not_longer_than_it_says()
    {
        _pace.OnView(MsNs);
        Assert.Equal(MsNs + ViewPace.WaitNs, _pace.NextNs(500, 500, 1, isLed: true));
        Assert.True(_pace.IsFirstRound(31 * MsNs));
        Assert.False(_pace.IsFirstRound(40 * MsNs));

        // Only as long as it takes to announce it.
        Assert.Equal(51 * MsNs, _pace.NextNs(500, 500, 1, isLed: true));
    }

    [Fact]
    public void A_region_that_grows_or_shrinks_by_much_at_once_does_not_wait()
    {
        _pace.OnView(0);
        Assert.Equal(100 * MsNs / 10, _pace.NextNs(100, 100, 25, isLed: true));
        Assert.Equal(ViewPace.WaitNs, _pace.NextNs(100, 100, 24, isLed: true));
    }

    [Fact]
    public void Nobody_waits_for_a_ring_whose_leader_is_gone()
    {
        _pace.OnView(0);
        Assert.Equal(100 * MsNs / 10, _pace.NextNs(100, 100, 1, isLed: false));
    }

    [Fact]
    public void The_wait_doubles_while_views_come_to_no_round_so_that_slow_rounds_are_measured()
    {
        long nowNs = 0;
        var waitsNs = new List<long>();
        for (int i = 0; i < 6; i++)
        {
            _pace.OnView(nowNs);
            waitsNs.Add(_pace.NextNs(100, 100, 1, isLed: true) - nowNs);
            nowNs += waitsNs[^1];
        }

        Assert.Equal([250 * MsNs, 500 * MsNs, 1_000 * MsNs, 1_000 * MsNs, 1_000 * MsNs, 1_000 * MsNs], waitsNs);
        Assert.True(_pace.IsFirstRound(nowNs));
        _pace.OnView(nowNs);
        Assert.Equal(ViewPace.WaitNsMax, _pace.LongestWaitNs);
        for (int i = 0; i < 40; i++)
        {
            Assert.True(_pace.IsFirstRound(nowNs + (100 * MsNs)));
            nowNs += 200 * MsNs;
            _pace.OnView(nowNs);
        }

        Assert.InRange(_pace.LongestWaitNs, 400 * MsNs, 500 * MsNs);
    }

    [Fact]
    public void A_view_that_need_not_wait_says_nothing_of_how_long_rounds_take()
    {
        for (int i = 0; i < 10; i++)
        {
            _pace.OnView(i * 10 * MsNs);
        }

        Assert.Equal(ViewPace.WaitNs, _pace.LongestWaitNs);
    }

    [Fact]
    public void Rounds_end_while_a_node_crashes_and_comes_back_all_the_time()
    {
        const long RoundNs = 80 * MsNs;
        var rig = new HostRig();
        NodeRig leader = rig.Connect(1);
        NodeRig[] others = [.. Enumerable.Range(2, 11).Select(i => rig.Connect(i))];
        leader.Send(leader.JoinMessage);
        Array.ForEach(others, n => n.Send(n.JoinMessage));
        rig.Run(30 * MsNs);
        long ends = 0;
        int rounds = 0;
        NodeRig? loops = null;
        leader.Forget();
        for (long nowNs = 0; nowNs < 5 * HostRig.SecondNs; nowNs += 10 * MsNs)
        {
            if (nowNs % (50 * MsNs) == 0)
            {
                loops?.Break("it crashed");
                loops = rig.Connect(99);
                loops.Send(loops.JoinMessage);
            }

            if (nowNs % (500 * MsNs) == 0)
            {
                leader.Heartbeat();
                Array.ForEach(others, n => n.Heartbeat());
            }

            rig.Run(10 * MsNs);
            bool isNewView = leader.All<ViewChange>().Any();
            leader.Forget();
            if (isNewView)
            {
                // A ring starts anew with each view.
                ends = nowNs + RoundNs;
            }
            else if (nowNs >= ends)
            {
                leader.SendAggregate(new RingRound(leader.Accepted!.View));
                ends = nowNs + RoundNs;
                rounds++;
            }
        }

        rig.Run(10 * MsNs);
        Assert.Equal(rounds, rig.Counters.Aggregates);
        Assert.InRange(rounds, 30, 60);
        Assert.InRange(rig.Counters.Views, 30, 60);
        Assert.Null(leader.ClosedReason);
    }

    [Fact]
    public void A_member_waits_to_be_taken_out_and_let_in_no_longer_than_a_view_waits()
    {
        var rig = new HostRig();
        NodeRig[] nodes = [.. Enumerable.Range(1, 10).Select(i => rig.Connect(i))];
        Array.ForEach(nodes, n => n.Send(n.JoinMessage));
        rig.Run(30 * MsNs);
        long views = rig.Counters.Views;
        nodes[5].Break("its cable was pulled");
        rig.Run(200 * MsNs);
        Assert.Equal(views, rig.Counters.Views);
        rig.Run(60 * MsNs);
        Assert.Equal(views + 1, rig.Counters.Views);

        // The leader is gone: no round comes that a view could wait for.
        nodes[0].Break("its cable was pulled");
        rig.Run(15 * MsNs);
        Assert.Equal(views + 2, rig.Counters.Views);
    }
}
