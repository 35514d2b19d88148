using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>A joiner is owed the stream from the first sequence it is told; what came before that is in the state it is told.</summary>
public sealed class FirstSequenceTests
{
    [Fact]
    public void The_first_sequence_a_joiner_is_owed_is_the_one_the_host_sends_next()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        rig.Publish();
        rig.Publish();
        NodeRig second = rig.Join(2);
        (ulong lastBefore, _) = first.Streamed()[^1];
        Assert.Equal(lastBefore + 1, second.Accepted!.FirstSequence);
        Assert.Equal(2ul, Assert.Single(second.Accepted.Topics).Release);
        PublishResult third = rig.Publish();
        (ulong sequence, ReleaseHeader header) = Assert.Single(second.Streamed());
        Assert.Equal(second.Accepted.FirstSequence, sequence);
        Assert.Equal(third.Id, header.Id);
        // One stream: the member of before gets the same in the same packet.
        Assert.Equal((sequence, third.Id), (first.Streamed()[^1].Sequence, first.Streamed()[^1].Header.Id));
        Assert.Equal([1ul, 2ul, 3ul], first.Streamed().Select(r => r.Header.Release));
    }

    [Fact]
    public void What_is_committed_while_the_view_is_gathered_is_in_the_state_the_joiner_is_told()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        NodeRig second = rig.Connect(2);
        second.Send(second.JoinMessage);
        rig.Deliver();
        rig.Publish();
        Assert.Null(second.Accepted);
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal(1ul, Assert.Single(second.Accepted!.Topics).Release);
        Assert.Equal(first.Streamed()[^1].Sequence + 1, second.Accepted.FirstSequence);
        Assert.Empty(second.Streamed());
    }

    [Fact]
    public void What_was_committed_before_the_region_began_is_not_streamed_to_it()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig node = rig.Join(1);
        Assert.Equal(1ul, node.Accepted!.FirstSequence);
        PublishResult second = rig.Publish();
        (ulong sequence, ReleaseHeader header) = Assert.Single(node.Streamed());
        Assert.Equal((1ul, second.Id), (sequence, header.Id));
    }

    [Fact]
    public void Joiners_of_one_view_are_owed_the_same()
    {
        var rig = new HostRig();
        rig.Join(1);
        rig.Publish();
        NodeRig[] joiners = [rig.Connect(2), rig.Connect(3)];
        Array.ForEach(joiners, n => n.Send(n.JoinMessage));
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.All(joiners, n => Assert.Equal(2ul, n.Accepted!.FirstSequence));
    }

    [Fact]
    public void Only_who_wants_an_application_is_streamed_its_releases()
    {
        var rig = new HostRig();
        NodeRig shop = rig.Join(1);
        NodeRig both = rig.Join(2, j => j with { Interest = [HostRig.Cart] });
        rig.Publish(HostRig.Cart, ("a.bin", [1]));
        rig.Publish();
        Assert.Equal([HostRig.Shop], shop.Streamed().Select(r => r.Header.Application));
        Assert.Equal([HostRig.Cart, HostRig.Shop], both.Streamed().Select(r => r.Header.Application));
    }

    [Fact]
    public void Who_asks_for_a_packet_again_is_sent_it_and_no_one_else_is()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        NodeRig second = rig.Join(2);
        rig.Publish();
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(1, CountOf(first, 1));
        second.AskAgain(1);
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal((1, 2), (CountOf(first, 1), CountOf(second, 1)));
        Assert.Equal(0, rig.Counters.FramesRefused);
    }

    [Fact]
    public void Who_left_is_sent_nothing_more()
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1);
        NodeRig leaves = rig.Join(2);
        leaves.Send(new Leave("enough"));
        rig.Run(15 * HostRig.MillisecondNs);
        rig.Publish();
        Assert.Single(stays.Streamed());
        Assert.Empty(leaves.Streamed());
    }

    private static int CountOf(NodeRig node, ulong sequence) => node.Packets().Count(p =>
        StreamPosition.Peek(p.Frames, out StreamPosition position) == DecodeStatus.Ok && position.Sequence == sequence);
}
