using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>Leaders that tell a host their rounds through one of them.</summary>
public sealed class RegionGatherTests
{
    private static readonly GmsOptions Options = new()
    {
        Limits = HostLimits.Default with { PartMembers = 1, AggregateDatagramsMax = 2 },
    };

    private readonly HostRig _rig = new(Options);
    private readonly NodeRig[] _nodes;
    private readonly RegionView _view;

    public RegionGatherTests()
    {
        _rig.Publish();
        _nodes = [.. Enumerable.Range(1, 5).Select(i => _rig.Join(i))];
        _rig.Run(50 * HostRig.MillisecondNs);
        _view = _nodes[4].Accepted!.View.Cut(1);
        Assert.Equal(5, _view.PartCount);
    }

    [Fact]
    public void A_leader_is_asked_to_tell_through_the_first_of_its_parts_once_that_one_leads()
    {
        // Five parts in two datagrams: those of parts 0 to 2, and of 3 and 4.
        Tell(_nodes[1], Round(1));
        Assert.Equal(default, RouteTold(_nodes[1]));
        Tell(_nodes[0], Round(0));
        Assert.Equal(new AggregateRoute(SlotOf(0), 3), RouteTold(_nodes[0]));
        Tell(_nodes[1], Round(1));
        Assert.Equal(new AggregateRoute(SlotOf(0), 3), RouteTold(_nodes[1]));
        Tell(_nodes[4], Round(4));
        Assert.Equal(default, RouteTold(_nodes[4]));
        Tell(_nodes[3], Round(3));
        Assert.Equal(new AggregateRoute(SlotOf(3), 2), RouteTold(_nodes[3]));
    }

    [Fact]
    public void The_last_part_tells_straight_where_it_would_gather_for_itself_alone()
    {
        var rig = new HostRig(new GmsOptions { Limits = HostLimits.Default with { PartMembers = 1, AggregateDatagramsMax = 3 } });
        rig.Publish();
        NodeRig[] nodes = [.. Enumerable.Range(1, 4).Select(i => rig.Join(i))];
        rig.Run(50 * HostRig.MillisecondNs);
        RegionView view = nodes[3].Accepted!.View.Cut(1);
        for (int i = 0; i < 4; i++)
        {
            nodes[i].SendAggregate(new RingRound(view, view.PartAt(i)));
            rig.Run(5 * HostRig.MillisecondNs);
        }

        var through = new AggregateRoute(nodes[0].Accepted!.Slot, 3);
        Assert.Equal([through, through, through, default], nodes.Select(RouteTold));
    }

    [Fact]
    public void What_comes_through_another_counts_as_its_leader_s_own_and_is_acknowledged_to_it()
    {
        Gather(_nodes[0], (SlotOf(1), _nodes[1].Prove(Round(1))), (SlotOf(0), _nodes[0].Prove(Round(0))));
        Assert.Equal([1ul, 1ul, 0ul, 0ul, 0ul], Applied());
        Assert.Equal((2, 2, 0), (_rig.Counters.Aggregates, _rig.Counters.AggregatesGathered, _rig.Counters.FramesRefused));
        Assert.Equal(new AggregateRoute(SlotOf(0), 3), RouteTold(_nodes[0]));
        Assert.Equal(default, RouteTold(_nodes[1]));
    }

    [Fact]
    public void Who_gathers_can_make_nothing_up()
    {
        // With its own key under another's slot, changed, of nobody, cut short, and told twice.
        byte[] proved = _nodes[1].Prove(Round(1));
        byte[] changed = [.. proved];
        changed[^1] ^= 1;
        Gather(_nodes[0], (SlotOf(1), _nodes[0].Prove(Round(1))), (SlotOf(1), changed), (77, proved));
        _nodes[0].SendDatagram(FrameType.Gathered, [1, 2, 3]);
        _rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal((0, 4), (_rig.Counters.Aggregates, _rig.Counters.FramesRefused));
        Assert.All(Applied(), a => Assert.Equal(0ul, a));
        Gather(_nodes[0], (SlotOf(1), proved), (SlotOf(1), proved));
        Assert.Equal((1, 4), (_rig.Counters.Aggregates, _rig.Counters.FramesRefused));
    }

    [Fact]
    public void Who_does_not_know_of_it_is_not_asked_and_not_told_through()
    {
        var rig = new HostRig(Options);
        rig.Publish();
        NodeRig[] nodes = [.. Enumerable.Range(1, 5).Select(i => rig.Join(
            i, j => i is 2 or 4 ? j with { ProtocolVersion = Join.GatheringVersion - 1 } : j))];
        rig.Run(50 * HostRig.MillisecondNs);
        RegionView view = nodes[4].Accepted!.View.Cut(1);
        for (int times = 0; times < 2; times++)
        {
            for (int i = 0; i < nodes.Length; i++)
            {
                nodes[i].SendAggregate(new RingRound(view, view.PartAt(i)));
                rig.Run(5 * HostRig.MillisecondNs);
            }
        }

        // Nor waited for: of the first three parts two are gathered, and the first of the other two cannot.
        var through = new AggregateRoute(nodes[0].Accepted!.Slot, 2);
        Assert.Equal([through, default, through, default, default], nodes.Select(RouteTold));
    }

    private static AggregateRoute RouteTold(NodeRig leader)
    {
        var reader = new FrameReader(leader.Packets().Last(p => p.Frames[0] == (byte)FrameType.AggregateAck).Frames);
        Assert.True(reader.TryNext());
        Span<(ulong, ulong)> floors = stackalloc (ulong, ulong)[AggregateAck.FloorsMax];
        Assert.Equal(DecodeStatus.Ok, AggregateAck.TryRead(reader.Payload, floors, out _, out _, out _, out AggregateRoute route));
        return route;
    }

    private uint SlotOf(int node) => _nodes[node].Accepted!.Slot;

    private ulong[] Applied() => [.. Enumerable.Range(1, 5).Select(i => _rig.RowOf(i).Applied)];

    private RingRound Round(int part) =>
        new RingRound(_view, _view.PartAt(part)).Level((ushort)part, HostRig.ShopTopic, 1, 1, 1, 1);

    private void Tell(NodeRig leader, RingRound round)
    {
        leader.SendAggregate(round);
        _rig.Run(5 * HostRig.MillisecondNs);
    }

    private void Gather(NodeRig through, params (uint Slot, byte[] Payload)[] aggregates)
    {
        foreach ((uint slot, byte[] payload) in aggregates)
        {
            through.SendDatagram(FrameType.Gathered, [.. BitConverter.GetBytes(slot), .. payload]);
        }

        _rig.Run(5 * HostRig.MillisecondNs);
    }
}
