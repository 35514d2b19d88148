using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>Frames that end a connection: those that come too early, those that are malformed, those that nobody knows.</summary>
public sealed class RefusedFrameTests
{
    private const string Text = "it sent a control frame that is malformed or not known";

    [Fact]
    public void What_only_a_member_may_say_ends_a_connection_that_did_not_join()
    {
        (MessageType Type, byte[] Body)[] frames =
        [
            Encode(new Heartbeat(1, default, [])),
            Encode(new Report([], [])),
            Encode(new GroupReport(1, GroupState.Joined, string.Empty)),
            Encode(new StateVectorRequest()),
            Encode(new ViewRequest(1)),
            Encode(new CatchUpRequest(HostRig.ShopTopic, 0, 0, default)),
            Encode(new BodyRequest(HostRig.ShopTopic, default)),
            Encode(new ChunkRequest(HostRig.ShopTopic, default, 0, 1)),
            Encode(new Proof(HostRig.ShopTopic, new byte[1], new byte[1])),
        ];
        var rig = new HostRig();
        for (int i = 0; i < frames.Length; i++)
        {
            NodeRig node = rig.Connect(1);
            node.Send((ushort)frames[i].Type, frames[i].Body);
            rig.Run(HostRig.MillisecondNs);
            Assert.True(Text == node.ClosedReason, $"{frames[i].Type}: {node.ClosedReason}");
            Assert.Empty(node.Types);
            Assert.Equal(i + 1, rig.Counters.ControlRefused);
        }

        Assert.Equal(0, rig.Counters.Sessions);
    }

    [Fact]
    public void Calls_need_no_join()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        node.Send(new Status(5, HostRig.Shop));
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal(5u, node.Only<StatusResult>().Call);
        Assert.Null(node.ClosedReason);
    }

    [Fact]
    public void A_leave_before_a_join_is_taken_and_changes_nothing()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        node.Send(new Leave("I was never here"));
        rig.Run(HostRig.MillisecondNs);
        Assert.Null(node.ClosedReason);
        Assert.Equal(0, rig.Counters.ControlRefused);
        node.Send(node.JoinMessage);
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.NotNull(node.Accepted);
    }

    [Theory]
    [InlineData((ushort)MessageType.Join)]
    [InlineData((ushort)MessageType.Heartbeat)]
    [InlineData((ushort)MessageType.Status)]
    [InlineData((ushort)MessageType.PublishBegin)]
    public void A_malformed_frame_ends_the_connection_of_a_member(ushort type)
    {
        var rig = new HostRig();
        NodeRig other = rig.Join(1);
        NodeRig node = rig.Join(2);
        node.Send(type, [1, 2, 3]);
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal(Text, node.ClosedReason);
        Assert.Equal(1, rig.Counters.ControlRefused);
        Assert.Equal(1, rig.Counters.Failures);
        Assert.Equal([node.Accepted!.Slot], other.All<ViewChange>().Last().RemovedSlots);
    }

    [Theory]
    [InlineData((ushort)999)]
    [InlineData((ushort)MessageType.JoinAccepted)]
    [InlineData((ushort)MessageType.HeartbeatReply)]
    [InlineData((ushort)MessageType.PublishResult)]
    public void A_frame_that_is_not_known_or_a_hosts_to_send_ends_the_connection(ushort type)
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        node.Send(type, []);
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal(Text, node.ClosedReason);
        Assert.Equal(1, rig.Counters.ControlRefused);
    }

    [Fact]
    public void Bytes_after_a_message_make_it_malformed()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        node.Send((ushort)MessageType.StateVectorRequest, [0]);
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal(Text, node.ClosedReason);
    }

    [Fact]
    public void A_datagram_of_no_region_or_of_no_member_is_counted_and_dropped()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        node.SendDatagram(FrameType.GroupProbe, []);
        rig.Run(5 * HostRig.MillisecondNs);
        // Its seal is good, its content not a member's to send.
        Assert.Equal((0, 1), (rig.Counters.DatagramsRefused, rig.Counters.FramesRefused));
        NodeRig second = rig.Join(2);
        node.Send(new Leave("enough"));
        rig.RunAlive(HostRig.SecondNs, second);
        node.SendAggregate(new RingRound(second.Accepted!.View));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal((1, 1), (rig.Counters.DatagramsRefused, rig.Counters.FramesRefused));
        second.Send(new Leave("enough"));
        rig.Run(HostRig.SecondNs);
        second.SendAggregate(new RingRound(new RegionView(1, default, [])));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(2, rig.Counters.DatagramsRefused);
    }

    private static (MessageType Type, byte[] Body) Encode<T>(T message)
        where T : class, IMessage<T> => (T.Type, MessageCodec.Encode(message));
}
