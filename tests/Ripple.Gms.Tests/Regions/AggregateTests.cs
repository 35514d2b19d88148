using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>What a region's leader tells of a round over the members of a view.</summary>
public sealed class AggregateTests
{
    [Fact]
    public void The_levels_of_a_round_count_for_each_member_and_are_not_direct()
    {
        var rig = new HostRig();
        rig.Publish();
        rig.Publish();
        NodeRig leader = rig.Join(1);
        RegionView view = rig.Join(2).Accepted!.View;
        Tell(rig, leader, new RingRound(view).Level(0, HostRig.ShopTopic, 1, 2, 2, 1).Level(1, HostRig.ShopTopic, 1, 2, 1, 0));
        StatusRow first = rig.RowOf(1);
        Assert.Equal((2ul, 2ul, 1ul, 0ul), (first.Received, first.Persisted, first.Applied, first.DirectApplied));
        StatusRow second = rig.RowOf(2);
        Assert.Equal((2ul, 1ul, 0ul), (second.Received, second.Persisted, second.Applied));
        Assert.Equal(1, rig.Counters.Aggregates);
    }

    [Fact]
    public void A_round_is_acknowledged_to_the_leader_alone()
    {
        var rig = new HostRig();
        NodeRig leader = rig.Join(1);
        NodeRig other = rig.Join(2);
        RegionView view = other.Accepted!.View;
        Tell(rig, leader, new RingRound(view));
        (_, byte[] frames) = Assert.Single(leader.Packets(), p => p.Frames[0] == (byte)FrameType.AggregateAck);
        var reader = new FrameReader(frames);
        Assert.True(reader.TryNext());
        var ack = new WireReader(reader.Payload);
        Assert.Equal(view.Number.Value, ack.ReadU64());
        Assert.Equal(4ul, ack.ReadU64());
        Assert.Equal(1, ack.ReadU8());
        Assert.Equal(leader.Accepted!.HostIncarnation, ack.ReadU64());
        Assert.DoesNotContain(other.Packets(), p => p.Frames[0] == (byte)FrameType.AggregateAck);
    }

    [Fact]
    public void A_round_of_an_old_view_that_is_still_kept_is_taken_and_one_of_a_view_no_longer_kept_is_not()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig leader = rig.Join(1);
        RegionView old = leader.Accepted!.View;
        // With the newest, sixteen views are kept: as many as the sender knows what joiners are owed in. Each return is two.
        while (rig.Counters.Views < StreamOptions.Default.ViewsKept)
        {
            rig.Join(2);
        }

        Tell(rig, leader, new RingRound(old).Level(0, HostRig.ShopTopic, 1, 1, 0, 0));
        Assert.Equal(1ul, rig.RowOf(1).Received);
        Assert.Equal(1, rig.Counters.Aggregates);
        rig.Join(2);
        Tell(rig, leader, new RingRound(old).Level(0, HostRig.ShopTopic, 1, 1, 1, 1));
        Assert.Equal((1ul, 0ul), (rig.RowOf(1).Received, rig.RowOf(1).Applied));
        Assert.Equal((1, 0, 0), (rig.Counters.Aggregates, rig.Counters.FramesRefused, rig.Counters.DatagramsRefused));
    }

    [Fact]
    public void What_an_old_round_says_of_a_member_that_went_counts_for_nobody()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig leader = rig.Join(1);
        NodeRig goes = rig.Join(2);
        goes.Send(new Leave("enough"));
        rig.Run(15 * HostRig.MillisecondNs);
        var round = new RingRound(goes.Accepted!.View);
        Tell(rig, leader, round.Level(0, HostRig.ShopTopic, 1, 1, 1, 1).Level(1, HostRig.ShopTopic, 1, 1, 1, 1));
        Assert.Equal((1ul, 0ul), (rig.RowOf(1).Applied, rig.RowOf(2).Applied));
    }

    [Fact]
    public void A_round_that_did_not_visit_all_members_of_its_view_is_refused_and_changes_nothing()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig leader = rig.Join(1);
        RegionView before = leader.Accepted!.View;
        NodeRig second = rig.Join(2);
        var half = new RegionView(before.RegionId, second.Accepted!.View.Number, before.Members);
        Tell(rig, leader, new RingRound(half).Level(0, HostRig.ShopTopic, 1, 1, 1, 1));
        Assert.Equal(0ul, rig.RowOf(1).Applied);
        leader.SendDatagram(FrameType.Aggregate, [1, 2, 3]);
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal((0, 2), (rig.Counters.Aggregates, rig.Counters.FramesRefused));
    }

    [Fact]
    public void A_packet_that_comes_twice_counts_once()
    {
        var rig = new HostRig();
        NodeRig leader = rig.Join(1);
        byte[] datagram = leader.Seal(FrameType.Aggregate, leader.Prove(new RingRound(leader.Accepted!.View)));
        leader.Inject(datagram);
        leader.Inject(datagram);
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal((1, 1), (rig.Counters.Aggregates, rig.Counters.DatagramsRefused));
    }

    [Fact]
    public void A_member_that_was_not_reached_is_silent_until_it_says_something()
    {
        var rig = new HostRig();
        NodeRig leader = rig.Join(1);
        NodeRig silent = rig.Join(2);
        RegionView view = silent.Accepted!.View;
        Tell(rig, leader, new RingRound(view).Silent(1));
        Assert.Equal(((byte)0, (byte)1), (rig.RowOf(1).State, rig.RowOf(2).State));
        silent.Heartbeat();
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal((byte)0, rig.RowOf(2).State);
    }

    [Fact]
    public void An_aggregate_is_believed_from_the_first_member_of_its_view_only_and_from_it_by_its_own_key()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig leader = rig.Join(1);
        NodeRig liar = rig.Join(2);
        RegionView view = liar.Accepted!.View;
        RingRound lie = new RingRound(view).Level(0, HostRig.ShopTopic, 1, 1, 1, 1).Rejection(0, HostRig.ShopTopic, 1, 1, "a lie");

        // Under its own slot; under the leader's with its own key; and under the leader's without a proof.
        liar.SendAggregate(lie);
        liar.Inject(liar.SealAs(leader.Accepted!.Slot, FrameType.Aggregate, liar.Prove(lie), number: 5));
        byte[] unproved = [.. new byte[AggregateProof.Bytes], .. lie.Encode()];
        liar.Inject(liar.SealAs(leader.Accepted.Slot, FrameType.Aggregate, unproved, number: 6));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal((0, 3), (rig.Counters.Aggregates, rig.Counters.FramesRefused));
        Assert.Equal((0ul, 0ul), (rig.RowOf(1).Applied, rig.RowOf(1).Rejected));
    }

    [Fact]
    public void An_aggregate_that_was_believed_is_not_believed_again_in_another_packet()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig leader = rig.Join(1);
        NodeRig listener = rig.Join(2);
        byte[] payload = leader.Prove(new RingRound(listener.Accepted!.View).Silent(1));
        leader.SendDatagram(FrameType.Aggregate, payload);
        rig.Run(5 * HostRig.MillisecondNs);
        listener.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, 1, 1, 1));
        rig.Run(20 * HostRig.MillisecondNs);

        listener.Inject(listener.SealAs(leader.Accepted!.Slot, FrameType.Aggregate, payload, number: 5));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal((1, (byte)0), (rig.Counters.Aggregates, rig.RowOf(2).State));
    }

    [Fact]
    public void A_ring_raises_nothing_above_what_is_committed_nor_in_another_generation()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig leader = rig.Join(1);
        RegionView view = leader.Accepted!.View;
        Tell(rig, leader, new RingRound(view).Level(0, HostRig.ShopTopic, 1, 2, 2, 2));
        Tell(rig, leader, new RingRound(view).Level(0, HostRig.ShopTopic, uint.MaxValue, 1, 1, 1));
        Tell(rig, leader, new RingRound(view).Rejection(0, HostRig.ShopTopic, 1, 2, "too early"));
        Assert.Equal((3, 3), (rig.Counters.Aggregates, rig.Counters.EvidenceRefused));
        Assert.Equal((0ul, 0ul), (rig.RowOf(1).Applied, rig.RowOf(1).Rejected));

        leader.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, 1, 1, 1));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal((1ul, 1ul), (rig.RowOf(1).Applied, rig.RowOf(1).DirectApplied));
    }

    private static void Tell(HostRig rig, NodeRig leader, RingRound round)
    {
        leader.SendAggregate(round);
        rig.Run(5 * HostRig.MillisecondNs);
    }
}
