using Ripple.Engine.Core;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Tests.Releases;
using Ripple.Engine.Tests.Streams;
using Ripple.Engine.Tests.Wire;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Whom a member of a region hears: by its views and its keys, as packets and frames show it.</summary>
public sealed class RegionMembershipTests : IDisposable
{
    private static readonly ViewNumber First = new(1, 10);
    private readonly NodeRig _rig = new NodeRig().Join();

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void A_change_that_follows_is_entered()
    {
        Assert.Equal(("heard", "not heard"), (Ask(3), Ask(8)));
        _rig.Send(new ViewChange(Sealing.RegionId, First, First.Next(), [3], [NodeRig.Member(8)]));

        Assert.Equal(First.Next(), _rig.Node.View!.Number);
        Assert.Equal([5U, 7, 8], _rig.Node.View.Members.Select(m => m.Slot));
        Assert.Equal(("not heard", "heard", "heard"), (Ask(3), Ask(5), Ask(8)));
        _rig.Run(NodeRig.SecondNs);
        Assert.Equal(First.Next(), _rig.Host.Only<Heartbeat>().View);
        Assert.Empty(_rig.Host.All<ViewRequest>());
    }

    [Fact]
    public void Changes_that_follow_each_other_are_entered_one_by_one()
    {
        ViewNumber number = First;
        for (uint slot = 8; slot < 20; slot++)
        {
            _rig.Send(new ViewChange(Sealing.RegionId, number, number.Next(), slot == 8 ? [] : [slot - 1], [NodeRig.Member(slot)]));
            number = number.Next();
        }

        Assert.Equal([3U, 5, 7, 19], _rig.Node.View!.Members.Select(m => m.Slot));
        Assert.Equal(("heard", "not heard", "heard"), (Ask(3), Ask(18), Ask(19)));
    }

    [Theory]
    [InlineData(11)]
    [InlineData(9)]
    public void A_change_that_does_not_start_from_the_view_here_changes_nothing_and_the_whole_view_is_asked_for(uint fromCounter)
    {
        _rig.Send(new ViewChange(Sealing.RegionId, new ViewNumber(1, fromCounter), new ViewNumber(1, 12), [3], [NodeRig.Member(8)]));

        Assert.Equal(Sealing.RegionId, _rig.Host.Only<ViewRequest>().RegionId);
        Assert.Equal(First, _rig.Node.View!.Number);
        Assert.Equal(("heard", "not heard"), (Ask(3), Ask(8)));
    }

    [Fact]
    public void The_whole_view_heals_a_change_that_was_missed()
    {
        _rig.Send(new ViewChange(Sealing.RegionId, new ViewNumber(1, 11), new ViewNumber(1, 12), [], [NodeRig.Member(9)]));
        _rig.Send(new ViewFull(View(new ViewNumber(1, 12), 5, 7, 8, 9)));

        Assert.Equal(new ViewNumber(1, 12), _rig.Node.View!.Number);
        Assert.Equal(("not heard", "heard", "heard", "heard"), (Ask(3), Ask(5), Ask(8), Ask(9)));
        _rig.Send(new ViewChange(Sealing.RegionId, new ViewNumber(1, 12), new ViewNumber(1, 13), [8], []));
        Assert.Equal(("not heard", "heard"), (Ask(8), Ask(9)));
        Assert.Single(_rig.Host.All<ViewRequest>());
    }

    [Theory]
    [InlineData(0, 9)]
    [InlineData(0, 10)]
    [InlineData(1, 12)]
    public void A_whole_view_that_is_not_newer_or_of_another_region_is_not_entered(uint otherRegion, uint counter)
    {
        _rig.Send(new ViewFull(new RegionView(
            Sealing.RegionId + otherRegion, new ViewNumber(1, counter), ((uint[])[NodeRig.OwnSlot, 8]).Order().Select(NodeRig.Member))));

        Assert.Equal((Sealing.RegionId, First), (_rig.Node.View!.RegionId, _rig.Node.View.Number));
        Assert.Equal(("heard", "not heard"), (Ask(3), Ask(8)));
        Assert.Empty(_rig.Disconnects);
    }

    [Fact]
    public void A_key_of_another_region_is_not_taken()
    {
        _rig.Send(new RegionRekey(Sealing.RegionId + 1, 2, Sealing.KeyBytes(2)));

        Assert.Equal(("heard", "not heard"), (Ask(3), Ask(3, epoch: 2)));
    }

    [Fact]
    public void A_change_of_another_region_is_nothing_to_this_node()
    {
        _rig.Send(new ViewChange(Sealing.RegionId + 1, new ViewNumber(1, 99), new ViewNumber(1, 100), [3], []));

        Assert.Empty(_rig.Host.All<ViewRequest>());
        Assert.Equal("heard", Ask(3));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_view_without_this_node_has_it_join_again_where_the_host_says_that_it_sends_it_the_stream(bool isWhole)
    {
        if (isWhole)
        {
            _rig.Send(new ViewFull(View(First.Next(), 3, 5)));
        }
        else
        {
            _rig.Send(new ViewChange(Sealing.RegionId, First, First.Next(), [NodeRig.OwnSlot], []));
        }

        Assert.Empty(_rig.Disconnects);
        _rig.Run(NodeRig.SecondNs);
        _rig.Confirm(_rig.Host.All<Heartbeat>()[^1].Sequence);
        Assert.Equal([("the newest view does not include this node", false)], _rig.Disconnects);
        Assert.False(_rig.Node.IsJoined);
        Assert.Single(_rig.Host.Ends);
        _rig.Run(NodeRig.SecondNs);
        _rig.Host.Forget();
        _rig.Join();
        Assert.Equal(2, _rig.Joins);
    }

    [Fact]
    public void Who_waits_to_be_reached_follows_the_views_without_it_and_takes_part_from_the_one_that_has_it()
    {
        using var rig = new NodeRig();
        rig.Answer = rig.Answer with { View = View(First, 3, 5) };
        rig.Join();
        rig.Send(new ViewChange(Sealing.RegionId, First, First.Next(), [3], [NodeRig.Member(8)]));
        rig.Send(new ViewFull(View(new ViewNumber(1, 12), 5, 8)));
        rig.Run(NodeRig.SecondNs);
        Assert.Empty(rig.Disconnects);
        Assert.False(rig.Node.Region!.Ring.IsLeader);
        Assert.Equal(new ViewNumber(1, 12), rig.Host.All<Heartbeat>()[^1].View);

        rig.Send(new ViewChange(Sealing.RegionId, new ViewNumber(1, 12), new ViewNumber(1, 13), [5], [NodeRig.Member(NodeRig.OwnSlot)]));
        Assert.True(rig.Node.Region.Ring.IsLeader);
        rig.Send(new ViewChange(Sealing.RegionId, new ViewNumber(1, 13), new ViewNumber(1, 14), [NodeRig.OwnSlot], []));
        Assert.True(rig.Node.IsLeaf);
    }

    [Fact]
    public void A_removed_member_is_not_heard_though_it_was_the_last_one_heard()
    {
        Assert.Equal("heard", Ask(3));
        _rig.Send(new ViewChange(Sealing.RegionId, First, First.Next(), [3], []));

        Assert.Equal("not heard", Ask(3));
    }

    [Fact]
    public void A_packet_is_heard_once()
    {
        byte[] packet = _rig.Seals.Seal(3, 1, PacketClass.Data, StreamPackets.Packet(100));
        _rig.DataPort.Receive(packet);
        _rig.DataPort.Receive(packet);

        Assert.Equal(1, _rig.Node.Counters.FramesRefused);
        Assert.Equal(1, _rig.Node.Counters.DatagramsRefusedAs(OpenStatus.Replay));
    }

    [Fact]
    public void What_only_the_host_may_send_is_blamed_on_the_member_that_sealed_it_and_not_taken()
    {
        byte[] release = new ReleaseChain().Next(("a", "1"));
        _rig.Receive(5, PacketClass.Data, RegionSeals.Message(NodeRig.FirstSequence, NodeRig.Topic, release));
        _rig.Receive(5, PacketClass.Control, RegionSeals.Beacon(200, 150));

        Assert.Equal(2, _rig.Node.Counters.FramesRefused);
        Assert.Equal([(NodeRig.Member(5).Node, 2L)], _rig.Node.Counters.RefusedByMember.Select(p => (p.Key, p.Value)));
        Assert.Empty(_rig.Applied);
        _rig.Run(10 * NodeRig.MsNs);
        Assert.Empty(_rig.Naks());
    }

    [Fact]
    public void Malformed_frames_under_the_seal_of_the_host_are_counted_and_blamed_on_no_member()
    {
        _rig.Receive(0, PacketClass.Control, [1, 2, 3]);

        Assert.Equal(1, _rig.Node.Counters.FramesRefused);
        Assert.Empty(_rig.Node.Counters.RefusedByMember);
    }

    [Fact]
    public void After_a_change_of_key_what_leaves_is_sealed_under_the_new_one()
    {
        _rig.Receive(0, PacketClass.Data, StreamPackets.Packet(101));
        _rig.Run(2 * NodeRig.MsNs);
        _rig.Send(new RegionRekey(Sealing.RegionId, 2, Sealing.KeyBytes(2)));
        _rig.Receive(0, PacketClass.Data, StreamPackets.Packet(300), epoch: 2);
        _rig.Run(2 * NodeRig.MsNs);

        Assert.Equal([1U, 2U], _rig.Naks().Select(n => n.Epoch));
    }

    [Fact]
    public void A_key_is_heard_for_two_seconds_after_the_next_one_came()
    {
        _rig.Send(new RegionRekey(Sealing.RegionId, 2, Sealing.KeyBytes(2)));
        Assert.Equal(("heard", "heard"), (Ask(3), Ask(3, epoch: 2)));
        _rig.Run((2 * NodeRig.SecondNs) - 1);
        Assert.Equal("heard", Ask(3));

        _rig.Run(1);
        Assert.Equal(("not heard", "heard"), (Ask(3), Ask(3, epoch: 2)));
        Assert.Equal(1, _rig.Node.Counters.DatagramsRefusedAs(OpenStatus.ExpiredKey));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(0)]
    public void A_key_that_is_not_newer_is_not_taken(uint epoch)
    {
        _rig.Send(new RegionRekey(Sealing.RegionId, epoch, new byte[16]));

        Assert.Equal("heard", Ask(3));
        _rig.Receive(0, PacketClass.Data, StreamPackets.Packet(101));
        _rig.Run(2 * NodeRig.MsNs);
        // And it opens with the key that was.
        Assert.Equal([1U], _rig.Naks().Select(n => n.Epoch));
    }

    [Fact]
    public void A_member_that_came_under_a_new_key_is_not_heard_under_the_old_one()
    {
        _rig.Send(new RegionRekey(Sealing.RegionId, 2, Sealing.KeyBytes(2)));
        _rig.Send(new ViewChange(Sealing.RegionId, First, First.Next(), [], [NodeRig.Member(8)]));

        Assert.Equal(("not heard", "heard"), (Ask(8), Ask(8, epoch: 2)));
        Assert.Equal(1, _rig.Node.Counters.DatagramsRefusedAs(OpenStatus.UnknownSlot));
    }

    private static RegionView View(ViewNumber number, params uint[] slots) =>
        new(Sealing.RegionId, number, slots.Select(NodeRig.Member));

    /// <summary>A member sends what it has no right to: who is heard is blamed for it, who is not is refused before that.</summary>
    private string Ask(uint slot, uint epoch = 1)
    {
        long refused = _rig.Node.Counters.DatagramsRefused;
        long blamed = _rig.Node.Counters.FramesRefused;
        _rig.Receive(slot, PacketClass.Data, StreamPackets.Packet(100), epoch);
        bool isRefused = _rig.Node.Counters.DatagramsRefused > refused;
        Assert.NotEqual(isRefused, _rig.Node.Counters.FramesRefused > blamed);
        return isRefused ? "not heard" : "heard";
    }
}
