using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Protocol.Views;
using Ripple.Gms.Calls;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>Every frame of a node takes from its share of the core's time; who has used it up waits, and is not sent away for it.</summary>
public sealed class FrameShareTests
{
    private const long SecondNs = HostRig.SecondNs;

    /// <summary>A frame of each type that a node may send.</summary>
    private static readonly SortedDictionary<MessageType, Action<NodeRig>> Samples = new()
    {
        [MessageType.Join] = n => n.Send(n.JoinMessage),
        [MessageType.ViewRequest] = n => n.Send(new ViewRequest(1)),
        [MessageType.Heartbeat] = n => n.Heartbeat(),
        [MessageType.StateVectorRequest] = n => n.Send(new StateVectorRequest()),
        [MessageType.CatchUpRequest] = n => n.Send(new CatchUpRequest(HostRig.ShopTopic, 0, 0, default)),
        [MessageType.BodyRequest] = n => n.Send(new BodyRequest(HostRig.ShopTopic, default)),
        [MessageType.ChunkRequest] = n => n.Send(new ChunkRequest(HostRig.ShopTopic, default, 0, 1)),
        [MessageType.Report] = n => n.Send(new Report([], [])),
        [MessageType.Proof] = n => n.Send(new Proof(HostRig.ShopTopic, new byte[1], new byte[1])),
        [MessageType.Leave] = n => n.Send(new Leave("enough")),
        [MessageType.GroupReport] = n => n.Send(new GroupReport(1, GroupState.Joined, string.Empty)),
        [MessageType.PathAnswer] = n => n.Send(new PathAnswer(1, 2, 3)),
        [MessageType.KeyRequest] = n => n.Send(new KeyRequest(1, 1, default, 0)),
        [MessageType.PublishBegin] = n => n.Send(
            new PublishBegin(1, HostRig.Shop, Guid.NewGuid(), PublishBegin.AnyRelease, "", "", [new PublishKey("a", false, 1)])),
        [MessageType.PublishPart] = n => n.Send(new PublishPart(1, new byte[1])),
        [MessageType.Rollback] = n => n.Send(new Rollback(1, HostRig.Shop, Guid.NewGuid(), 1, PublishBegin.AnyRelease, "")),
        [MessageType.History] = n => n.Send(new History(1, HostRig.Shop, 0, 1)),
        [MessageType.ReadKey] = n => n.Send(new ReadKey(1, HostRig.Shop, 0, "a")),
        [MessageType.Wait] = n => n.Send(new Wait(1, HostRig.Shop, 0, 1, "MIN($ALL.applied)", 0, CountLeft: false)),
        [MessageType.Monitor] = n => n.Send(new Ripple.Engine.Protocol.Calls.Monitor(1, HostRig.Shop, "MIN($ALL.applied)")),
        [MessageType.LevelReport] = n => n.Send(new LevelReport(1, HostRig.Shop, 1, 1, "verified")),
        [MessageType.Subscribe] = n => n.Send(new Subscribe(HostRig.Shop, 1, 1, IsResumed: false, HasMore: false, Blocks: false, [])),
        [MessageType.Unsubscribe] = n => n.Send(new Unsubscribe(HostRig.Shop, 1)),
        [MessageType.Emit] = n => n.Send(new Emit(HostRig.Shop, 1, 1, [], default)),
        [MessageType.EventAck] = n => n.Send(new EventAck(HostRig.Shop, 1)),
        [MessageType.WaitCancel] = n => n.Send(new WaitCancel(1)),
        [MessageType.Status] = n => n.Send(new Status(1, HostRig.Shop)),
        [MessageType.CreateApplication] = n => n.Send(new CreateApplication(1, "new")),
    };

    public static TheoryData<ushort> Types => [.. Enum.GetValues<MessageType>().Where(t => t != MessageType.None).Select(t => (ushort)t)];

    [Theory]
    [MemberData(nameof(Types))]
    public void A_frame_of_each_type_is_charged_or_ends_the_connection(ushort number)
    {
        var type = (MessageType)number;
        // Time brings next to nothing here: what is missing afterwards was taken.
        var rig = new HostRig(Limited(new CallLimits { Token = new SpendingLimits(250_000_000, 1_000, 1_000_000_000) }));
        rig.Publish();
        NodeRig node = type == MessageType.Join ? rig.Connect(1) : rig.Join(1);
        long before = rig.FrameNsLeft(HostRig.NodesToken);
        if (Samples.TryGetValue(type, out Action<NodeRig>? send))
        {
            send(node);
        }
        else
        {
            node.Send(number, []);
        }

        rig.Deliver();
        Assert.InRange(before - rig.FrameNsLeft(HostRig.NodesToken), 900, 1_000_000);
        if (!Samples.ContainsKey(type))
        {
            Assert.Equal("it sent a control frame that is malformed or not known", node.ClosedReason);
        }
        else
        {
            Assert.NotEqual("it sent a control frame that is malformed or not known", node.ClosedReason);
        }
    }

    [Theory]
    [InlineData((ushort)MessageType.PublishPart)]
    [InlineData((ushort)MessageType.Wait)]
    [InlineData((ushort)MessageType.Report)]
    [InlineData((ushort)999)]
    public void A_longer_frame_takes_more(ushort type) => Assert.True(
        CallCosts.OfFrame((MessageType)type, LinkFrame.BodyBytesMax) > CallCosts.OfFrame((MessageType)type, 10) + 10_000);

    [Fact]
    public void Who_sends_more_than_its_share_waits_and_loses_nothing_and_others_do_not_wait()
    {
        // A millisecond each second: some three hundred heartbeats.
        var rig = new HostRig(Limited(new CallLimits { Connection = new SpendingLimits(50_000_000, 1_000_000) }));
        NodeRig flood = rig.Join(1);
        NodeRig other = rig.Join(2);
        const int Beats = 2_000;
        for (int i = 0; i < Beats; i++)
        {
            flood.Heartbeat();
        }

        rig.Run(20 * HostRig.MillisecondNs);
        Assert.InRange(flood.All<HeartbeatReply>().Count(), 200, 400);
        Assert.True(rig.Counters.FramesHeld > 0);
        other.Heartbeat();
        rig.Run(2 * HostRig.MillisecondNs);
        Assert.Single(other.All<HeartbeatReply>());
        // The host does not listen meanwhile, and does not call that silence.
        rig.RunAlive(8 * SecondNs, other);
        Assert.Null(flood.ClosedReason);
        Assert.Null(other.ClosedReason);
        Assert.Equal(Beats, flood.All<HeartbeatReply>().Count());
    }

    [Fact]
    public void Connections_of_a_token_that_has_used_up_its_share_take_turns()
    {
        var rig = new HostRig(Limited(new CallLimits { Token = new SpendingLimits(250_000_000, 1_000_000) }));
        NodeRig stranger = rig.Join(3, tokenId: HostRig.ShopToken);
        NodeRig flood = rig.Join(1);
        NodeRig honest = rig.Join(2);
        for (int i = 0; i < 2_000; i++)
        {
            flood.Heartbeat();
        }

        rig.Run(HostRig.SecondNs);
        honest.Heartbeat();
        honest.Heartbeat();
        stranger.Heartbeat();
        rig.Run(50 * HostRig.MillisecondNs);
        Assert.True(flood.All<HeartbeatReply>().Count() < 1_500);
        Assert.Equal(2, honest.All<HeartbeatReply>().Count());
        Assert.Single(stranger.All<HeartbeatReply>());
    }

    [Fact]
    public void Honest_crowds_stay_far_below_their_share()
    {
        var limits = new CallLimits();
        // Ten thousand nodes with one token that beat each second, and 500 of them that report 20 releases of 10 applications a second.
        long perSecondNs = (10_000 * CallCosts.OfFrame(MessageType.Heartbeat, 100))
            + (500 * 20 * 10 * CallCosts.OfFrame(MessageType.Report, 40));
        Assert.InRange(perSecondNs, 0, limits.Token.FrameNsPerSecond * 3 / 4);
        // They come all at once, with a catch-up each; a new node fetches a hundred thousand values as fast as they come, and a publisher
        // uploads at ten gigabits a second: within five seconds.
        long comeNs = 5_000 * (CallCosts.OfFrame(MessageType.Join, 300) + CallCosts.OfFrame(MessageType.CatchUpRequest, 40));
        Assert.InRange(comeNs, 0, limits.Token.FrameNsMax + (5 * limits.Token.FrameNsPerSecond));
        Assert.InRange(100_000 * CallCosts.OfFrame(MessageType.BodyRequest, 24), 0, 5 * limits.Connection.FrameNsPerSecond);
        Assert.InRange(10_000 * CallCosts.OfFrame(MessageType.PublishPart, 131_072), 0, 5 * limits.Connection.FrameNsPerSecond);
    }

    [Fact]
    public void What_one_connection_sends_at_once_holds_up_nobody_for_long()
    {
        var limits = new CallLimits();
        Assert.InRange(limits.Connection.FrameNsMax, 0, 40_000_000);
        Assert.InRange(limits.Token.FrameNsMax, 0, 250_000_000);
        Assert.InRange(limits.Application.FrameNsMax, 0, 400_000_000);
    }

    private static GmsOptions Limited(CallLimits calls) => new() { Limits = HostLimits.Default with { Calls = calls } };
}
