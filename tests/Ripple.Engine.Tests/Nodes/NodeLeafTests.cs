using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Tests.Releases;
using Ripple.Engine.Tests.Wire;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>A node that a view lacks stays connected, says what it has, and takes another seat on the connection that it has.</summary>
public sealed class NodeLeafTests : IDisposable
{
    private const uint NextSlot = 9;
    private static readonly ViewNumber First = new(1, 10);
    private static readonly ViewNumber Second = First.Next();
    private readonly NodeRig _rig = new NodeRig().Join();
    private readonly ReleaseChain _chain = new();

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void It_asks_for_what_it_lacks_and_goes_on_saying_that_it_is_alive()
    {
        Exclude();

        Assert.Equal((1L, true, true), (_rig.Node.Counters.Exclusions, _rig.Node.IsLeaf, _rig.Node.IsJoined));
        Assert.Null(_rig.Node.Region);
        Assert.Equal(NodeRig.Topic, _rig.Host.Only<CatchUpRequest>().Topic);
        _rig.Host.Forget();
        _rig.Run(3 * NodeRig.SecondNs);
        Assert.InRange(_rig.Host.All<Heartbeat>().Count, 2, 4);
        Assert.All(_rig.Host.All<Heartbeat>(), h => Assert.Equal(Second, h.View));
        Assert.Empty(_rig.Disconnects);
    }

    [Fact]
    public void What_it_is_brought_it_reports_over_its_connection_and_a_member_does_not()
    {
        _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(("a", "1"))));
        _rig.Run(100 * NodeRig.MsNs);
        Assert.Empty(_rig.Host.All<Report>());

        Exclude();
        _rig.Host.Forget();
        for (int i = 0; i < 5; i++)
        {
            _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(("a", "more"))));
        }

        _rig.Run(10 * NodeRig.MsNs);
        Report report = Assert.Single(_rig.Host.All<Report>());
        Assert.Equal((6UL, 6UL), (report.Rows[0].Received, report.Rows[0].Applied));
    }

    [Fact]
    public void Another_answer_to_its_join_gives_it_a_seat_and_the_view_that_has_it_ends_the_leaf()
    {
        Exclude();
        Return();

        Assert.True(_rig.Node.IsLeaf);
        Assert.Equal(NodeRig.FirstSequence + 49, _rig.Node.Region!.Receiver.Contiguous);
        _rig.Send(new ViewChange(Sealing.RegionId, Second, Second.Next(), [], [NodeRig.Member(NextSlot)]));
        Assert.False(_rig.Node.IsLeaf);
        Assert.Equal((1, 1L), (_rig.Joins, _rig.Node.Counters.Joins));
        Assert.Empty(_rig.Disconnects);
    }

    [Fact]
    public void A_seat_in_which_nothing_reached_it_gives_way_to_the_next_one()
    {
        Exclude();
        Return();
        var view = new RegionView(Sealing.RegionId, Second.Next(), [NodeRig.Member(3)]);
        _rig.Send(_rig.Answer with { Slot = NextSlot + 1, View = view, FirstSequence = NodeRig.FirstSequence + 90 });

        Assert.Equal(NodeRig.FirstSequence + 89, _rig.Node.Region!.Receiver.Contiguous);
        _rig.Send(new ViewChange(Sealing.RegionId, view.Number, view.Number.Next(), [], [NodeRig.Member(NextSlot + 1)]));
        Assert.False(_rig.Node.IsLeaf);
        Assert.Empty(_rig.Disconnects);
    }

    [Fact]
    public void It_can_be_taken_out_again()
    {
        Exclude();
        Return();
        _rig.Send(new ViewChange(Sealing.RegionId, Second, Second.Next(), [], [NodeRig.Member(NextSlot)]));
        _rig.Send(new ViewChange(Sealing.RegionId, Second.Next(), Second.Next().Next(), [NextSlot], []));

        Assert.Equal((2L, true), (_rig.Node.Counters.Exclusions, _rig.Node.IsLeaf));
        Assert.Empty(_rig.Disconnects);
    }

    [Fact]
    public void An_answer_to_no_join_is_refused_while_it_has_a_seat()
    {
        _rig.Send(_rig.Answer);

        Assert.Single(_rig.Disconnects);
        Assert.Equal(1, _rig.Node.Counters.ControlRefused);
    }

    [Fact]
    public void A_lost_connection_ends_the_leaf()
    {
        Exclude();
        _rig.Break("gone");

        Assert.Equal((false, false), (_rig.Node.IsLeaf, _rig.Node.IsJoined));
        _rig.Run(NodeRig.SecondNs);
        _rig.Host.Forget();
        _rig.Join();
        Assert.Equal(2, _rig.Joins);
    }

    private void Exclude() => _rig.Send(new ViewChange(Sealing.RegionId, First, Second, [NodeRig.OwnSlot], []));

    private void Return()
    {
        var view = new RegionView(Sealing.RegionId, Second, [NodeRig.Member(3), NodeRig.Member(5)]);
        _rig.Send(_rig.Answer with { Slot = NextSlot, View = view, FirstSequence = NodeRig.FirstSequence + 50 });
    }
}
