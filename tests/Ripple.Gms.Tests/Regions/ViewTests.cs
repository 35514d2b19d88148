using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>Who is in, as the members are told: what comes together is one view.</summary>
public sealed class ViewTests
{
    [Fact]
    public void Joins_that_come_together_are_answered_together_and_enter_one_view()
    {
        var rig = new HostRig();
        NodeRig[] nodes = [.. Enumerable.Range(1, 3).Select(i => rig.Connect(i))];
        foreach (NodeRig node in nodes)
        {
            node.Send(node.JoinMessage);
            rig.Run(3 * HostRig.MillisecondNs);
        }

        // Nine milliseconds after the first: not yet.
        Assert.All(nodes, n => Assert.Empty(n.Types));
        rig.Run(3 * HostRig.MillisecondNs);
        Assert.All(nodes, n => Assert.Equal([MessageType.JoinAccepted], n.Types));
        Assert.All(nodes, n => Assert.Empty(n.Accepted!.View.Members));
        Assert.Equal([1u, 2u, 3u], nodes.Select(n => n.Accepted!.Slot));
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.All(nodes, n => Assert.Equal(new ViewNumber(HostRig.FirstEpoch, 1), n.Accepted!.View.Number));
        Assert.All(nodes, n => Assert.Equal([1u, 2u, 3u], n.Accepted!.View.Members.Select(m => m.Slot)));
        Assert.Equal(1, rig.Counters.Views);
    }

    [Fact]
    public void An_entry_and_a_leave_that_come_together_are_one_view_that_those_before_are_told()
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1);
        NodeRig leaves = rig.Join(2);
        stays.Forget();
        leaves.Forget();
        NodeRig joins = rig.Connect(3);
        joins.Send(joins.JoinMessage);
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Empty(stays.Types);
        leaves.Send(new Leave("enough"));
        rig.Run(15 * HostRig.MillisecondNs);
        ViewChange change = stays.Only<ViewChange>();
        Assert.Equal(stays.Accepted!.View.RegionId, change.RegionId);
        Assert.Equal(new ViewNumber(HostRig.FirstEpoch, 2), change.From);
        Assert.Equal(new ViewNumber(HostRig.FirstEpoch, 3), change.To);
        Assert.Equal([2u], change.RemovedSlots);
        var joiner = new RegionMember(3, HostRig.NodeOf(3), joins.Accepted!.Incarnation, joins.DataAddress, joins.ControlAddress);
        Assert.Equal(joiner, Assert.Single(change.Added));
        Assert.Equal(change.To, joins.Accepted.View.Number);
        Assert.Equal([1u, 3u], joins.Accepted.View.Members.Select(m => m.Slot));
        Assert.Equal([MessageType.JoinAccepted], joins.Types);
        Assert.Empty(leaves.Types);
        Assert.Equal("the node left", leaves.ClosedReason);
        Assert.Equal(0, rig.Counters.Failures);
    }

    [Fact]
    public void A_connection_that_breaks_is_a_failure()
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1);
        NodeRig fails = rig.Join(2);
        fails.Break("its cable was pulled");
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal([2u], stays.All<ViewChange>().Last().RemovedSlots);
        Assert.Equal((1, 1), (rig.Counters.Failures, rig.Counters.Members));
        Assert.Equal((byte)3, rig.RowOf(2).State);
    }

    [Fact]
    public void Who_misses_three_heartbeats_fails_and_who_says_anything_does_not()
    {
        var rig = new HostRig();
        NodeRig silent = rig.Join(1);
        NodeRig asks = rig.Join(2);
        NodeRig unjoined = rig.Connect(3);
        // The third missed is noticed when the fourth would be due.
        for (int i = 0; i < 19; i++)
        {
            asks.Send(new StateVectorRequest());
            rig.Run(HostRig.SecondNs / 5);
        }

        Assert.Null(silent.ClosedReason);
        Assert.Null(unjoined.ClosedReason);
        asks.Send(new StateVectorRequest());
        rig.Run(HostRig.SecondNs / 2);
        Assert.Equal("3 heartbeats were missed", silent.ClosedReason);
        Assert.Equal("3 heartbeats were missed", unjoined.ClosedReason);
        Assert.Null(asks.ClosedReason);
        Assert.Equal([1u], asks.All<ViewChange>().Last().RemovedSlots);
        Assert.Equal((1, 1, 1), (rig.Counters.Failures, rig.Counters.Members, rig.Counters.Sessions));
    }

    [Fact]
    public void A_joiner_that_goes_before_its_view_is_in_none()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        first.Forget();
        NodeRig goes = rig.Connect(2);
        goes.Send(goes.JoinMessage);
        rig.Run(3 * HostRig.MillisecondNs);
        goes.Break("its cable was pulled");
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.DoesNotContain(first.All<ViewChange>(), c => c.Added.Count > 0);
        Assert.Equal((1, 1, 0), (rig.Counters.Joins, rig.Counters.Members, rig.Counters.Failures));
        Assert.Equal(2u, rig.Join(3).Accepted!.Slot);
    }

    [Fact]
    public void Who_asks_for_the_view_of_its_region_gets_all_of_it_and_who_asks_for_another_gets_nothing()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        NodeRig second = rig.Join(2);
        NodeRig elsewhere = rig.Join(3, j => j with { Zone = "west" });
        node.Forget();
        node.Send(new ViewRequest(elsewhere.Accepted!.View.RegionId));
        rig.Run(HostRig.MillisecondNs);
        Assert.Empty(node.Types);
        Assert.Null(node.ClosedReason);
        node.Send(new ViewRequest(node.Accepted!.View.RegionId));
        rig.Run(HostRig.MillisecondNs);
        RegionView view = node.Only<ViewFull>().View;
        Assert.Equal(second.Accepted!.View.Number, view.Number);
        Assert.Equal(second.Accepted.View.Members.AsEnumerable(), view.Members);
    }

    [Fact]
    public void Nodes_of_another_zone_or_interest_are_a_region_of_their_own()
    {
        var rig = new HostRig();
        NodeRig east = rig.Join(1);
        NodeRig west = rig.Join(2, j => j with { Zone = "west" });
        NodeRig wide = rig.Join(3, j => j with { Interest = [HostRig.Cart] });
        NodeRig again = rig.Join(4);
        Assert.Equal(3, new[] { east, west, wide }.Select(n => n.Accepted!.View.RegionId).Distinct().Count());
        Assert.Equal(east.Accepted!.View.RegionId, again.Accepted!.View.RegionId);
        Assert.Equal([1u, 1u, 1u, 2u], new[] { east, west, wide, again }.Select(n => n.Accepted!.Slot));
        Assert.Empty(west.All<ViewChange>());
        Assert.NotEqual(east.Accepted.Key.ToArray(), west.Accepted!.Key.ToArray());
    }
}
