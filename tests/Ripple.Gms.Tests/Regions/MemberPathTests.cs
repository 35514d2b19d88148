using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Regions;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>An address is a claim until what was sent there has been told over the control connection.</summary>
public sealed class MemberPathTests
{
    private readonly HostRig _rig = new();

    [Fact]
    public void Who_answered_no_probe_is_sent_nothing_else()
    {
        NodeRig deaf = JoinDeaf(1);
        for (int i = 0; i < 40; i++)
        {
            _rig.Publish();
            deaf.AskAgain(deaf.Accepted!.FirstSequence);
            deaf.Heartbeat();
            _rig.Run(500 * HostRig.MillisecondNs);
        }

        Assert.Empty(deaf.Packets());
        Assert.Equal(MemberPaths.ProbesMax, deaf.Probes.Count);
        Assert.Single(deaf.Probes.Distinct());
        Assert.Equal(1, _rig.Counters.PathsUnreached);
        Assert.Null(deaf.ClosedReason);
        _rig.RunAlive(125 * HostRig.SecondNs, deaf);
        Assert.Equal(MemberPaths.ProbesMax + 2, deaf.Probes.Count);
        Assert.Equal(1, _rig.Counters.PathsUnreached);
    }

    [Fact]
    public void Who_answers_gets_what_was_sent_meanwhile_and_the_stream()
    {
        NodeRig node = JoinDeaf(1);
        PublishResult missed = _rig.Publish();
        Assert.Empty(node.Streamed());
        node.Send(node.Probes[^1]);
        _rig.Run(HostRig.MillisecondNs);
        node.Send(node.Probes[^1]);
        _rig.Run(HostRig.MillisecondNs);
        Assert.Equal(missed.Id, Assert.Single(node.Streamed()).Header.Id);
        PublishResult next = _rig.Publish();
        Assert.Equal([missed.Id, next.Id], node.Streamed().Select(r => r.Header.Id));
        int probes = node.Probes.Count;
        _rig.RunAlive(20 * HostRig.SecondNs, node);
        Assert.Equal(probes, node.Probes.Count);
    }

    [Fact]
    public void Another_nonce_than_the_one_sent_there_counts_for_nothing()
    {
        NodeRig one = JoinDeaf(1);
        NodeRig other = JoinDeaf(2);
        Assert.NotEqual(one.Probes[^1], other.Probes[^1]);
        one.Send(other.Probes[^1]);
        one.Send(one.Probes[^1] with { NonceLow = one.Probes[^1].NonceLow ^ 1 });
        one.Send(one.Probes[^1] with { NonceHigh = one.Probes[^1].NonceHigh ^ 1 });
        one.Send(one.Probes[^1] with { RegionId = one.Probes[^1].RegionId + 1 });
        _rig.Run(HostRig.MillisecondNs);
        _rig.Publish();
        Assert.Empty(one.Packets());
        Assert.Equal(3, _rig.Counters.PathAnswersRefused);
    }

    [Fact]
    public void A_path_that_takes_small_packets_alone_does_not_get_the_stream()
    {
        NodeRig node = JoinDeaf(1);
        PathAnswer small = node.Probes[^1];
        node.Send(small);
        _rig.Run(HostRig.MillisecondNs);
        Assert.NotEqual(small, node.Probes[^1]);
        _rig.RunAlive(20 * HostRig.SecondNs, node);
        node.Send(small);
        _rig.Publish();
        Assert.Empty(node.Packets());
        Assert.Equal(1, _rig.Counters.PathsUnreached);
        Assert.Equal(0, _rig.Counters.PathAnswersRefused);
    }

    [Fact]
    public void A_nonce_of_an_earlier_life_counts_for_nothing()
    {
        NodeRig before = JoinDeaf(1);
        PathAnswer old = before.Probes[^1];
        before.Break("the process ended");
        NodeRig after = JoinDeaf(1);
        after.Send(old);
        _rig.Run(HostRig.MillisecondNs);
        _rig.Publish();
        Assert.Empty(after.Packets());
        Assert.Equal(1, _rig.Counters.PathAnswersRefused);
    }

    [Fact]
    public void Members_nobody_reaches_hold_up_no_publisher()
    {
        NodeRig deaf = JoinDeaf(1);
        for (int i = 0; i < 3_000; i++)
        {
            _rig.Publish();
            if (i % 100 == 0)
            {
                deaf.Heartbeat();
                deaf.Forget();
            }
        }

        Assert.Equal((3_000, 0), (_rig.StreamCounters.Packets, _rig.StreamCounters.WindowFull));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_is_not_reached_is_named_to_no_other_member_and_enters_no_view(bool answersSmall)
    {
        NodeRig other = _rig.Join(1);
        other.Forget();
        NodeRig half = JoinDeaf(2);
        if (answersSmall)
        {
            half.Send(half.Probes[^1]);
        }

        _rig.RunAlive(20 * HostRig.SecondNs, other, half);
        NodeRig later = _rig.Join(3);
        Assert.Equal([other.DataAddress, later.DataAddress], later.Accepted!.View.Members.Select(m => m.DataAddress));
        Assert.DoesNotContain(other.All<ViewChange>().SelectMany(c => c.Added), m => m.Slot == half.Accepted!.Slot);
        Assert.Equal(3, _rig.Counters.Members);
        Assert.Equal((byte)0, _rig.RowOf(2).State);
    }

    [Fact]
    public void Who_is_not_reached_does_not_hold_the_streams_floor_though_it_tells_rounds()
    {
        NodeRig half = JoinDeaf(1);
        half.Send(half.Probes[^1]);
        NodeRig other = _rig.Join(2);
        for (int i = 1; i <= 3_000; i++)
        {
            _rig.Publish();
            other.Forget();
            half.Forget();
            if (i % 100 == 0)
            {
                other.Heartbeat();
                half.Heartbeat();
                half.SendAggregate(new RingRound(half.Accepted!.View).Stream(half.Accepted.HostIncarnation, 0, 0, (ulong)i));
                other.SendAggregate(
                    new RingRound(other.Accepted!.View).Stream(other.Accepted.HostIncarnation, (ulong)i, 0, (ulong)i));
                _rig.Run(HostRig.MillisecondNs);
            }
        }

        Assert.Equal(3_000, _rig.StreamCounters.Packets);
        Assert.Equal((0, 0), (_rig.StreamCounters.WindowFull, _rig.StreamCounters.Stalls));
    }

    [Fact]
    public void Who_is_reached_at_last_enters_the_view_by_its_slot_and_is_told_what_the_window_no_longer_has()
    {
        NodeRig late = JoinDeaf(1);
        NodeRig leader = _rig.Join(2);
        _rig.Publish();
        _rig.Publish();
        leader.SendAggregate(new RingRound(leader.Accepted!.View).Stream(leader.Accepted.HostIncarnation, 2, 0, 2));
        _rig.Run(HostRig.MillisecondNs);
        late.Send(late.Probes[^1]);
        _rig.Run(HostRig.MillisecondNs);
        late.Send(late.Probes[^1]);
        _rig.Run(HostRig.MillisecondNs);
        (_, byte[] frames) = late.Packets()[0];
        Assert.Equal((byte)FrameType.Beacon, frames[0]);
        Assert.Equal(DecodeStatus.Ok, StreamBeacon.Read(frames.AsSpan(FrameReader.HeaderBytes), out StreamBeacon beacon));
        Assert.Equal((2ul, 3ul), (beacon.Highest, beacon.FirstAvailable));
        _rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal([1u, 2u], leader.Accepted!.View.Members.Select(m => m.Slot));
        Assert.Equal(leader.Accepted.View.Members.AsEnumerable(), late.Accepted!.View.Members);
        _rig.Publish();
        Assert.Single(late.Streamed());
    }

    [Theory]
    [InlineData("east", 1_400)]
    [InlineData("west", 1_472)]
    public void The_datagrams_of_a_zone_are_as_large_as_its_option_says_probe_and_stream(string zone, int datagramBytes)
    {
        var rig = new HostRig(new GmsOptions { DatagramBytes = new Dictionary<string, int> { ["east"] = 1_400 } });
        NodeRig node = rig.Connect(1);
        node.AnswersProbes = false;
        node.Send(node.JoinMessage with { Zone = zone });
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal(datagramBytes, node.Accepted!.DatagramBytes);
        Assert.InRange(node.LargestBytes, 1, 100);
        node.Send(node.Probes[^1]);
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal(datagramBytes, node.LargestBytes);
        node.Send(node.Probes[^1]);
        rig.Run(HostRig.MillisecondNs);
        // Nothing that compressing makes shorter.
        byte[] large = new byte[30_000];
        new Random(1).NextBytes(large);
        rig.Publish(HostRig.Shop, ("large", large));
        Assert.Equal(datagramBytes, node.LargestBytes);
        Assert.True(node.Packets().Count > 20);
    }

    private NodeRig JoinDeaf(int number)
    {
        NodeRig node = _rig.Connect(number);
        node.AnswersProbes = false;
        node.Send(node.JoinMessage);
        _rig.Run(15 * HostRig.MillisecondNs);
        Assert.NotEmpty(node.Probes);
        return node;
    }
}
