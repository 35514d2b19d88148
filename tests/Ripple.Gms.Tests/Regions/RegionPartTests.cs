using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>A region whose views have several parts, each with a leader that tells of its own members.</summary>
public sealed class RegionPartTests
{
    private static readonly GmsOptions Options = new() { Limits = HostLimits.Default with { PartMembers = 2 } };

    [Fact]
    public void Each_leader_is_believed_of_its_own_part_and_nobody_else_is()
    {
        var rig = new HostRig(Options);
        rig.Publish();
        NodeRig[] nodes = [.. Enumerable.Range(1, 4).Select(i => rig.Join(i))];
        RegionView view = ViewOf(nodes[3]);
        Assert.Equal(2, view.PartCount);

        Tell(rig, nodes[2], Applied(view, 1));
        Assert.Equal([0ul, 0ul, 1ul, 1ul], Enumerable.Range(1, 4).Select(i => rig.RowOf(i).Applied));

        // Of another part, of both, and as a member that leads none.
        Tell(rig, nodes[2], Applied(view, 0));
        Tell(rig, nodes[2], Applied(view, 0, 1));
        Tell(rig, nodes[1], Applied(view, 0));
        Assert.Equal((1, 3), (rig.Counters.Aggregates, rig.Counters.FramesRefused));
        Assert.Equal([0ul, 0ul, 1ul, 1ul], Enumerable.Range(1, 4).Select(i => rig.RowOf(i).Applied));

        Tell(rig, nodes[0], Applied(view, 0));
        Assert.Equal([1ul, 1ul, 1ul, 1ul], Enumerable.Range(1, 4).Select(i => rig.RowOf(i).Applied));
    }

    [Fact]
    public void The_streams_floor_is_the_least_of_all_parts_and_unknown_while_one_has_told_nothing()
    {
        var rig = new HostRig(Options);
        NodeRig[] nodes = [.. Enumerable.Range(1, 4).Select(i => rig.Join(i))];
        RegionView view = ViewOf(nodes[3]);
        rig.Publish();
        rig.Run(50 * HostRig.MillisecondNs);
        rig.Publish();
        rig.Run(50 * HostRig.MillisecondNs);
        ulong origin = nodes[0].Accepted!.HostIncarnation;
        ulong[] sequences = [.. nodes[0].Streamed().Select(s => s.Sequence).Distinct()];
        (ulong first, ulong last) = (sequences[0], sequences[^1]);
        Assert.True(first < last);

        Tell(rig, nodes[0], new RingRound(view, view.PartAt(0)).Stream(origin, last, 0, last));
        Assert.True(FloorTold(nodes[0]) < first, "the other part has told nothing yet");

        Tell(rig, nodes[2], new RingRound(view, view.PartAt(1)).Stream(origin, first, 3, last));
        Assert.Equal(first, FloorTold(nodes[2]));

        Tell(rig, nodes[2], new RingRound(view, view.PartAt(1)).Stream(origin, last, 3, last));
        Assert.Equal(last, FloorTold(nodes[2]));
    }

    [Fact]
    public void The_second_and_third_of_a_part_tell_of_themselves_and_those_behind_and_say_no_floor()
    {
        var rig = new HostRig(Options with { Limits = Options.Limits with { PartMembers = 4 } });
        NodeRig[] nodes = [.. Enumerable.Range(1, 4).Select(i => rig.Join(i))];
        RegionView view = nodes[3].Accepted!.View.Cut(4);
        RegionPart part = view.PartAt(0);
        rig.Publish();
        rig.Run(50 * HostRig.MillisecondNs);
        ulong origin = nodes[0].Accepted!.HostIncarnation;
        ulong sequence = nodes[0].Streamed()[0].Sequence;

        // Of whom it passed by, by the number of another, and from one that leads nothing.
        Tell(rig, nodes[1], new RingRound(view, part, rank: 1).Level(0, HostRig.ShopTopic, 1, 1, 1, 1));
        Tell(rig, nodes[1], new RingRound(view, part).Level(2, HostRig.ShopTopic, 1, 1, 1, 1));
        Tell(rig, nodes[1], new RingRound(view, part, rank: 2).Level(2, HostRig.ShopTopic, 1, 1, 1, 1));
        Tell(rig, nodes[3], new RingRound(view, part, rank: 3).Level(3, HostRig.ShopTopic, 1, 1, 1, 1));
        Assert.Equal((0, 4), (rig.Counters.Aggregates, rig.Counters.FramesRefused));

        Tell(rig, nodes[2], new RingRound(view, part, rank: 2).Level(2, HostRig.ShopTopic, 1, 1, 1, 1));
        RingRound second = new RingRound(view, part, rank: 1).Level(3, HostRig.ShopTopic, 1, 1, 1, 1);
        Tell(rig, nodes[1], second.Stream(origin, sequence, 1, sequence));
        Assert.Equal((2, 4), (rig.Counters.Aggregates, rig.Counters.FramesRefused));
        Assert.Equal([0ul, 0ul, 1ul, 1ul], Enumerable.Range(1, 4).Select(i => rig.RowOf(i).Applied));
        Assert.True(FloorTold(nodes[1]) < sequence, "the first member may lack what those behind it have");

        Tell(rig, nodes[0], new RingRound(view, part).Stream(origin, sequence, 0, sequence));
        Assert.Equal(sequence, FloorTold(nodes[0]));
    }

    [Fact]
    public void A_member_that_does_not_know_of_parts_makes_the_region_one_ring_until_it_leaves()
    {
        var rig = new HostRig(Options);
        NodeRig first = rig.Join(1);
        Assert.Equal(2, first.Only<RegionParts>().PartMembers);
        NodeRig old = rig.Join(2, j => j with { ProtocolVersion = Join.PartsVersion - 1 });
        rig.Run(50 * HostRig.MillisecondNs);
        Assert.Equal([2, 0], first.All<RegionParts>().Select(p => (int)p.PartMembers));
        Assert.Empty(old.All<RegionParts>());

        NodeRig third = rig.Join(3);
        rig.Run(50 * HostRig.MillisecondNs);
        Assert.DoesNotContain(third.All<RegionParts>(), p => p.PartMembers > 0);
        RegionView one = third.Accepted!.View;
        Tell(rig, first, new RingRound(one));
        Assert.Equal((1, 0), (rig.Counters.Aggregates, rig.Counters.FramesRefused));

        old.Send(new Leave("upgraded"));
        rig.Run(2_000 * HostRig.MillisecondNs);
        Assert.Equal([2, 0, 2], first.All<RegionParts>().Select(p => (int)p.PartMembers));
        Assert.Equal(2, third.All<RegionParts>().Last().PartMembers);
    }

    private static RegionView ViewOf(NodeRig node) => node.Accepted!.View.Cut(2);

    private static RingRound Applied(RegionView view, params int[] parts)
    {
        var round = new RingRound(view, view.PartAt(parts.Max()));
        foreach (RegionPart part in parts.Select(view.PartAt))
        {
            for (int i = part.First; i < part.End; i++)
            {
                round.Level((ushort)i, HostRig.ShopTopic, 1, 1, 1, 1);
            }
        }

        return round;
    }

    private static void Tell(HostRig rig, NodeRig leader, RingRound round)
    {
        leader.SendAggregate(round);
        rig.Run(5 * HostRig.MillisecondNs);
    }

    /// <summary>The floor in the newest acknowledgement to a leader.</summary>
    private static ulong FloorTold(NodeRig leader)
    {
        var reader = new FrameReader(leader.Packets().Last(p => p.Frames[0] == (byte)FrameType.AggregateAck).Frames);
        Assert.True(reader.TryNext());
        var ack = new WireReader(reader.Payload);
        ack.ReadU64();
        ack.ReadU64();
        Assert.Equal(1, ack.ReadU8());
        ack.ReadU64();
        return ack.ReadU64();
    }
}
