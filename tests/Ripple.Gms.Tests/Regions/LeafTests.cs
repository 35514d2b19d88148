using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Releases;
using Ripple.Engine.Streams;
using Ripple.Gms.Regions;
using Ripple.Gms.Tests.Sessions;
using NodeJoin = Ripple.Engine.Protocol.Joining.Join;

namespace Ripple.Gms.Tests.Regions;

/// <summary>A member that holds the others up, or hears nothing, leaves the view, and neither its connection nor the frontier.</summary>
public sealed class LeafTests
{
    private const int WindowPackets = 16;
    private const int Members = 9;
    private readonly HostRig _rig = new(new GmsOptions
    {
        Limits = new HostLimits { Stream = StreamOptions.Default with { WindowPackets = WindowPackets } },
    });

    private readonly List<NodeRig> _nodes = [];
    private int _published;

    private NodeRig Laggard => _nodes[^1];

    [Fact]
    public void Who_holds_the_floor_while_the_others_are_far_ahead_becomes_a_leaf_and_stays_a_member()
    {
        Join();
        Publish(WindowPackets * 3 / 4);
        Tell(ms: 200);
        Assert.Equal(0, _rig.Counters.LeavesMade);
        Tell(ms: 100);
        _rig.Run(20 * HostRig.MillisecondNs);

        Assert.Equal((1L, Members, 0L), (_rig.Counters.LeavesMade, _rig.Counters.Members, _rig.Counters.Failures));
        Assert.All(_nodes, n => Assert.Equal([Laggard.Accepted!.Slot], n.All<ViewChange>().Last().RemovedSlots));
        Assert.Null(Laggard.ClosedReason);
        StatusRow row = _rig.RowOf(Members);
        Assert.Equal((Laggard.Accepted!.Incarnation, Members), (row.Incarnation, _rig.StatusRows().Count));
    }

    [Fact]
    public void A_region_says_who_is_a_leaf_why_since_when_and_whether_it_returns()
    {
        MakeLeaf();
        Laggard.AnswersProbes = false;
        Laggard.Heartbeat(Has(_published));
        LeafStatus status = Assert.Single(_rig.Region.Leaves);
        Assert.Equal(
            (HostRig.NodeOf(Members), "the stream of its region waited for it while the others were far ahead", false),
            (status.Member.Node, status.Reason, status.IsReturning));
        Assert.InRange(status.AgeNs, 20 * HostRig.MillisecondNs, 100 * HostRig.MillisecondNs);
        Assert.Equal((Members - 1, 0), (_rig.Region.MemberCount, _rig.Region.EnteringCount));

        Alive(ms: 2_000);
        Assert.True(Assert.Single(_rig.Region.Leaves).IsReturning);
        Assert.Equal((1, 1L), (_rig.Region.UnreachedCount, _rig.Counters.Leaves));

        // It is brought forward as before until the view has it.
        Laggard.Send(new CatchUpRequest(HostRig.ShopTopic, 0, 0, default));
        _rig.Run(5 * HostRig.MillisecondNs);
        Laggard.Forget();
        Publish(1);
        Assert.Single(Laggard.All<CatchUpRelease>());
    }

    [Fact]
    public void A_leaf_is_brought_forward_at_each_commit_from_where_it_said_it_was()
    {
        MakeLeaf();
        Laggard.Forget();
        Laggard.Send(new CatchUpRequest(HostRig.ShopTopic, 0, 0, default));
        _rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(_published, Laggard.All<CatchUpRelease>().Count());

        Laggard.Forget();
        Publish(2);
        _rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(2, Laggard.All<CatchUpRelease>().Count());
    }

    [Fact]
    public void A_wait_stays_bound_to_a_leaf_and_holds_by_its_own_word_alone()
    {
        Join();
        Publish(WindowPackets * 3 / 4);
        _nodes[0].Send(new Wait(1, HostRig.Shop, 1, (ulong)_published, "MIN($ALL.applied)", 0, CountLeft: false));
        Tell(ms: 300);
        Assert.Equal(1, _rig.Counters.LeavesMade);
        Alive(ms: 500);
        Assert.Empty(_nodes[0].All<WaitResult>());

        Laggard.Heartbeat(Has(_published - 1));
        Alive(ms: 100);
        Assert.Empty(_nodes[0].All<WaitResult>());
        Laggard.Heartbeat(Has(_published));
        Alive(ms: 100);
        WaitResult held = _nodes[0].Only<WaitResult>();
        Assert.Equal(((byte)0, (uint)Members, 0), (held.Outcome, held.Total, held.Discounted.Count));
    }

    [Fact]
    public void What_is_in_the_stream_waits_for_a_leaf_no_more()
    {
        MakeLeaf();
        long packets = _rig.StreamCounters.Packets;
        TellAll(_published);
        Publish(WindowPackets);
        Assert.Equal((packets + WindowPackets, 0L), (_rig.StreamCounters.Packets, _rig.StreamCounters.Stalls));
    }

    [Fact]
    public void Half_of_the_window_is_no_sign_however_long_it_is_held()
    {
        Join();
        Publish(WindowPackets / 2);
        Tell(ms: 2_000);
        Assert.Equal(0, _rig.Counters.LeavesMade);
    }

    [Fact]
    public void Where_the_others_are_as_far_behind_nobody_becomes_a_leaf()
    {
        Join();
        Publish(WindowPackets * 3 / 4);
        Tell(ms: 900, othersReceived: 4);
        Assert.Equal(0, _rig.Counters.LeavesMade);
    }

    [Fact]
    public void Who_is_not_heard_either_becomes_no_leaf()
    {
        Join();
        Publish(WindowPackets * 3 / 4);
        _rig.RunAlive(1_600 * HostRig.MillisecondNs, [.. _nodes.SkipLast(1)]);
        Tell(ms: 500, isHeard: false);
        Assert.Equal(0, _rig.Counters.LeavesMade);
    }

    [Theory]
    [InlineData(Members, NodeJoin.LeavesVersion - 1)]
    [InlineData(7, NodeJoin.CurrentVersion)]
    public void Who_does_not_know_leaves_or_is_more_than_an_eighth_becomes_none(int members, int version)
    {
        Join(members, version);
        Publish(WindowPackets * 3 / 4);
        Tell(ms: 900);
        Assert.Equal(0, _rig.Counters.LeavesMade);
    }

    [Fact]
    public void Whom_its_ring_does_not_hear_for_long_while_the_host_does_becomes_a_leaf()
    {
        Join();
        Accuse(ms: 1_400);
        Assert.Equal(0, _rig.Counters.LeavesMade);
        Accuse(ms: 600);
        Assert.Equal((1L, Members), (_rig.Counters.LeavesMade, _rig.Counters.Members));
    }

    [Fact]
    public void Silence_that_a_round_interrupts_is_none()
    {
        Join();
        Accuse(ms: 1_300);
        Round(new RingRound(_nodes[0].Accepted!.View));
        Accuse(ms: 1_300);
        Assert.Equal(0, _rig.Counters.LeavesMade);
    }

    [Fact]
    public void Where_more_are_silent_it_is_the_network()
    {
        Join();
        Accuse(ms: 3_000, count: 2);
        Assert.Equal(0, _rig.Counters.LeavesMade);
    }

    [Fact]
    public void Who_keeps_pace_again_joins_by_a_new_slot_and_the_next_sequence_and_its_next_pause_is_longer()
    {
        MakeLeaf();
        uint slot = Laggard.Accepted!.Slot;
        ulong incarnation = Laggard.Accepted.Incarnation;
        Alive(ms: 2_000);
        Assert.Equal(slot, Laggard.Accepted.Slot);

        Laggard.Heartbeat(Has(_published));
        Alive(ms: 600);
        Assert.Equal((incarnation, slot + 1), (Laggard.Accepted.Incarnation, Laggard.Accepted.Slot));
        Assert.Equal((ulong)_rig.StreamCounters.Packets + 1, Laggard.Accepted.FirstSequence);
        Assert.Contains(slot + 1, _nodes[0].All<ViewChange>().Last().Added.Select(m => m.Slot));
        Assert.Equal(Members, (int)_rig.Counters.Joins);

        TellAll(_published);
        Publish(WindowPackets * 3 / 4);
        Tell(ms: 300);
        Assert.Equal(2, _rig.Counters.LeavesMade);
        uint second = Laggard.Accepted.Slot;
        Laggard.Heartbeat(Has(_published));
        Alive(ms: 1_500);
        Assert.Equal(second, Laggard.Accepted.Slot);
        Alive(ms: 1_000);
        Assert.Equal(second + 1, Laggard.Accepted.Slot);
    }

    [Fact]
    public void Who_is_not_reached_in_time_gives_its_seat_up_and_joins_again_after_its_next_pause()
    {
        MakeLeaf();
        Laggard.AnswersProbes = false;
        Laggard.Heartbeat(Has(_published));
        uint slot = Laggard.Accepted!.Slot;
        Alive(ms: 2_000);
        Assert.Equal((slot + 1, true), (Laggard.Accepted.Slot, _rig.Region.Leaves.Single().IsReturning));
        Alive(ms: 5_500);
        Assert.False(_rig.Region.Leaves.Single().IsReturning);
        Assert.Equal((Members - 1, 0), (_rig.Region.MemberCount, _rig.Region.UnreachedCount));

        Laggard.AnswersProbes = true;
        Alive(ms: 2_500);
        Assert.Equal((slot + 2, Members), (Laggard.Accepted.Slot, _rig.Region.MemberCount));
        Assert.Empty(_rig.Region.Leaves);
        Assert.Equal((1L, Members), (_rig.Counters.LeavesMade, _rig.Counters.Members));
    }

    [Fact]
    public void A_leaf_that_goes_is_gone()
    {
        MakeLeaf();
        Laggard.Break("gone");
        _nodes.Remove(Laggard);
        Alive(ms: 500);
        Assert.Equal((Members - 1, 1L, 0L), (_rig.Counters.Members, _rig.Counters.Failures, _rig.Counters.Leaves));
    }

    private void Join(int members = Members, int version = NodeJoin.CurrentVersion)
    {
        for (int i = 1; i <= members; i++)
        {
            _nodes.Add(_rig.Join(i, j => j with { ProtocolVersion = (ushort)version }));
        }

        _rig.Run(300 * HostRig.MillisecondNs);
        Alive(ms: 100);
    }

    private void Publish(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _rig.Publish();
            _published++;
        }
    }

    private void MakeLeaf()
    {
        Join();
        Publish(WindowPackets * 3 / 4);
        Tell(ms: 300);
        Assert.Equal(1, _rig.Counters.LeavesMade);
        _rig.Run(20 * HostRig.MillisecondNs);
    }

    /// <summary>The ring tells that the last member has nothing, and the others have all or so much.</summary>
    private void Tell(int ms, int? othersReceived = null, bool isHeard = true)
    {
        for (int i = 0; i <= ms; i += 100)
        {
            if (i % 500 == 0)
            {
                Array.ForEach([.. isHeard ? _nodes : _nodes.SkipLast(1)], n => n.Heartbeat());
            }

            ulong highest = (ulong)_rig.StreamCounters.Packets;
            ulong received = (ulong)(othersReceived ?? _published);
            var round = new RingRound(_nodes[0].Accepted!.View);
            for (ushort position = 0; position < _nodes.Count - 1; position++)
            {
                round.Level(position, HostRig.ShopTopic, 1, received, received, received);
            }

            Round(round.Stream(_nodes[0].Accepted!.HostIncarnation, Lacking(highest), (ushort)(_nodes.Count - 1), highest));
            _rig.Run((i < ms ? 95 : 0) * HostRig.MillisecondNs);
        }
    }

    /// <summary>The laggard has nothing of what is in the window.</summary>
    private ulong Lacking(ulong highest) => Math.Max(highest - Math.Min(highest, WindowPackets), Laggard.Accepted!.FirstSequence - 1);

    /// <summary>The ring of the view without the leaf tells that all have all.</summary>
    private void TellAll(int received)
    {
        ulong highest = (ulong)_rig.StreamCounters.Packets;
        var round = new RingRound(_nodes[0].Accepted!.View);
        round.Level(0, HostRig.ShopTopic, 1, (ulong)received, (ulong)received, (ulong)received);
        Round(round.Stream(_nodes[0].Accepted!.HostIncarnation, highest, 0, highest));
    }

    private void Accuse(int ms, int count = 1)
    {
        for (int i = 0; i < ms; i += 100)
        {
            if (i % 500 == 0)
            {
                Alive(ms: 0);
            }

            var round = new RingRound(_nodes[0].Accepted!.View);
            for (int silent = count; silent > 0; silent--)
            {
                round.Silent((ushort)(_nodes.Count - silent));
            }

            Round(round);
            _rig.Run(95 * HostRig.MillisecondNs);
        }
    }

    private void Round(RingRound round)
    {
        _nodes[0].SendAggregate(round);
        _rig.Run(5 * HostRig.MillisecondNs);
    }

    private void Alive(int ms)
    {
        Array.ForEach([.. _nodes.Where(n => n.ClosedReason is null)], n => n.Heartbeat());
        _rig.RunAlive(ms * HostRig.MillisecondNs, [.. _nodes]);
    }

    private static LevelRow Has(int release) =>
        new(HostRig.ShopTopic, 1, (ulong)release, (ulong)release, (ulong)release);
}
