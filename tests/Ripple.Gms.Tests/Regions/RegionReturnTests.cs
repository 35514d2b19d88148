using Ripple.Engine.Interest;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>A region that empties and comes again, and regions of one interest beside each other.</summary>
public sealed class RegionReturnTests
{
    [Fact]
    public void A_region_that_emptied_and_comes_again_goes_on_above_its_old_views_and_keys()
    {
        var rig = new HostRig();
        JoinAccepted before = rig.Join(1).Accepted!;
        for (int round = 0; round < 3; round++)
        {
            NodeRig node = rig.Join(2);
            node.Send(new Leave("enough"));
            rig.Run(15 * HostRig.MillisecondNs);
            NodeRig last = rig.Join(1);
            last.Send(new Leave("enough"));
            // The empty region goes at the next tick.
            rig.Run(HostRig.SecondNs / 2);
            JoinAccepted after = rig.Join(1).Accepted!;
            Assert.Equal(before.View.RegionId, after.View.RegionId);
            Assert.True(after.View.Number.CompareTo(before.View.Number) > 0, $"view {after.View.Number} after {before.View.Number}");
            Assert.Equal(before.KeyEpoch + 1, after.KeyEpoch);
            Assert.NotEqual(before.Key.ToArray(), after.Key.ToArray());
            Assert.Equal(1u, after.Slot);
            Assert.Equal(1ul, after.FirstSequence);
            before = after;
        }
    }

    [Fact]
    public void The_first_view_of_a_region_that_comes_again_is_above_the_last_of_the_one_before()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        node.Send(new Leave("enough"));
        rig.Run(HostRig.SecondNs / 2);
        // Views 1 and 2 were made, the second without members; 3 is where the region begins again, and 4 has the joiner.
        Assert.Equal(new ViewNumber(HostRig.FirstEpoch, 4), rig.Join(2).Accepted!.View.Number);
    }

    [Fact]
    public void Another_region_that_begins_later_begins_above_the_one_that_went()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        node.Send(new Leave("enough"));
        rig.Run(HostRig.SecondNs / 2);
        Assert.Equal(HostRig.FirstEpoch + 1, rig.Join(2, j => j with { Zone = "west" }).Accepted!.KeyEpoch);
    }

    [Fact]
    public void Who_comes_back_before_the_empty_region_went_finds_it_as_it_was()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        // Just after a tick: the next is a quarter of a second away.
        rig.RunAlive(HostRig.SecondNs / 2, first);
        first.Send(new Leave("enough"));
        rig.Run(15 * HostRig.MillisecondNs);
        PublishResult missed = rig.Publish();
        NodeRig second = rig.Join(2);
        Assert.Equal(first.Accepted!.KeyEpoch, second.Accepted!.KeyEpoch);
        Assert.Equal((2u, 3u), (second.Accepted.Slot, second.Accepted.View.Number.Counter));
        // What was committed while nobody was in is in its state, and not streamed.
        Assert.Equal(missed.Id, Assert.Single(second.Accepted.Topics).Id);
        PublishResult next = rig.Publish();
        (ulong sequence, ReleaseHeader header) = Assert.Single(second.Streamed());
        Assert.Equal((second.Accepted.FirstSequence, next.Id), (sequence, header.Id));
    }

    [Fact]
    public void Who_finds_a_region_full_goes_into_a_further_one_and_room_that_comes_is_filled_first()
    {
        var rig = new HostRig(new GmsOptions { RegionMembersMax = 2 });
        var identity = new RegionIdentity("east", HostRig.Shop, []);
        NodeRig[] nodes = [rig.Connect(1), rig.Connect(2), rig.Connect(3)];
        // All at once: who is about to join takes room as who is in.
        Array.ForEach(nodes, n => n.Send(n.JoinMessage));
        rig.Run(15 * HostRig.MillisecondNs);
        ulong[] expected = [identity.RegionId, identity.RegionId, identity.At(1).RegionId];
        Assert.Equal(expected, nodes.Select(n => n.Accepted!.View.RegionId));
        Assert.Equal([1u, 2u, 1u], nodes.Select(n => n.Accepted!.Slot));
        PublishResult release = rig.Publish();
        Assert.All(nodes, n => Assert.Equal(release.Id, Assert.Single(n.Streamed()).Header.Id));
        nodes[0].Send(new Leave("enough"));
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal(identity.RegionId, rig.Join(4).Accepted!.View.RegionId);
        Assert.Equal(identity.At(1).RegionId, rig.Join(5).Accepted!.View.RegionId);
        Assert.Equal(identity.At(2).RegionId, rig.Join(6).Accepted!.View.RegionId);
    }

    [Fact]
    public void The_first_region_that_went_is_made_again_before_a_further_one()
    {
        var rig = new HostRig(new GmsOptions { RegionMembersMax = 1 });
        var identity = new RegionIdentity("east", HostRig.Shop, []);
        NodeRig first = rig.Join(1);
        NodeRig second = rig.Join(2);
        first.Send(new Leave("enough"));
        rig.RunAlive(HostRig.SecondNs / 2, second);
        NodeRig again = rig.Join(3);
        Assert.Equal(identity.RegionId, again.Accepted!.View.RegionId);
        Assert.True(again.Accepted.View.Number.CompareTo(first.Accepted!.View.Number) > 0);
        Assert.Equal(identity.At(1).RegionId, second.Accepted!.View.RegionId);
    }
}
