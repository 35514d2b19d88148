using Ripple.Engine.Frontier;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>A wait that counts only what members say themselves has the host ask them to.</summary>
public sealed class DirectDemandTests
{
    private const string Direct = "MIN($ALL.applied.direct)";

    [Fact]
    public void Every_member_of_the_application_is_asked_whatever_its_region()
    {
        (HostRig rig, NodeRig[] members, NodeRig stranger) = Make();
        StartWait(rig, members[0], 1, Direct);
        Assert.All(members, m => Assert.Equal(new DirectDemand(HostRig.ShopTopic, 1), m.Only<DirectDemand>()));
        Assert.Empty(stranger.All<DirectDemand>());
        // What each then says itself ends the wait; the ring would not.
        NodeRig leader = members[0];
        RingRound round = new RingRound(members[1].Accepted!.View)
            .Level(0, HostRig.ShopTopic, 1, 1, 1, 1)
            .Level(1, HostRig.ShopTopic, 1, 1, 1, 1);
        leader.SendAggregate(round);
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(1ul, rig.RowOf(1).Applied);
        foreach (NodeRig member in members)
        {
            Assert.Empty(members[0].All<WaitResult>());
            member.Send(new Report([new LevelRow(HostRig.ShopTopic, 1, 1, 1, 1)], []));
            rig.Run(2 * HostRig.MillisecondNs);
        }

        Assert.Equal(0, members[0].Only<WaitResult>().Outcome);
    }

    [Fact]
    public void A_wait_on_any_evidence_asks_nobody()
    {
        (HostRig rig, NodeRig[] members, _) = Make();
        StartWait(rig, members[0], 1, "MIN($ALL.applied)");
        Assert.All(members, m => Assert.Empty(m.All<DirectDemand>()));
    }

    [Fact]
    public void A_wait_that_holds_already_asks_nobody()
    {
        (HostRig rig, NodeRig[] members, _) = Make();
        Array.ForEach(members, m => m.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, 1, 1, 1)));
        rig.Run(20 * HostRig.MillisecondNs);
        StartWait(rig, members[0], 1, Direct);
        Assert.Equal(0, members[0].Only<WaitResult>().Outcome);
        Assert.All(members, m => Assert.Empty(m.All<DirectDemand>()));
    }

    [Fact]
    public void Waits_that_begin_and_end_ask_each_member_once()
    {
        (HostRig rig, NodeRig[] members, _) = Make();
        rig.Publish();
        for (uint call = 1; call <= 20; call++)
        {
            // Of the newest release and of one before it: the newest answers both.
            members[0].Send(new Wait(call, HostRig.Shop, 0, 1 + (call % 2), Direct, 0, CountLeft: false));
            members[0].Send(new WaitCancel(call));
            rig.Run(HostRig.MillisecondNs);
        }

        Assert.All(members, m => Assert.Equal(new DirectDemand(HostRig.ShopTopic, 2), m.Only<DirectDemand>()));
        // Who came since was not asked yet.
        NodeRig late = rig.Join(5);
        rig.Publish();
        NodeRig later = rig.Join(6);
        members[0].Send(new Wait(100, HostRig.Shop, 0, 3, Direct, 0, CountLeft: false));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(new DirectDemand(HostRig.ShopTopic, 3), late.Only<DirectDemand>());
        Assert.Equal(new DirectDemand(HostRig.ShopTopic, 3), later.Only<DirectDemand>());
        Assert.All(members, m => Assert.Equal(2, m.All<DirectDemand>().Count()));
    }

    [Fact]
    public void Who_reported_a_release_directly_is_not_asked_for_it()
    {
        (HostRig rig, NodeRig[] members, _) = Make();
        members[1].Heartbeat(new LevelRow(HostRig.ShopTopic, 1, 1, 1, 1));
        rig.Run(20 * HostRig.MillisecondNs);
        StartWait(rig, members[0], 1, Direct);
        Assert.Equal([1, 0, 1], members.Select(m => m.All<DirectDemand>().Count()));
    }

    /// <summary>Two members in one region and one in another, one that wants another application, and one release.</summary>
    private static (HostRig Rig, NodeRig[] Members, NodeRig Stranger) Make()
    {
        var rig = new HostRig();
        NodeRig[] members = [rig.Join(1), rig.Join(2), rig.Join(3, j => j with { Interest = [HostRig.Cart] })];
        NodeRig stranger = rig.Join(4, application: HostRig.Cart);
        rig.Publish();
        return (rig, members, stranger);
    }

    private static void StartWait(HostRig rig, NodeRig node, ulong release, string predicate)
    {
        node.Send(new Wait(1, HostRig.Shop, 0, release, predicate, 0, CountLeft: false));
        rig.Run(5 * HostRig.MillisecondNs);
    }
}
