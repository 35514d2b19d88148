using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>What a member's heartbeat is answered, and what it counts for.</summary>
public sealed class HeartbeatTests
{
    [Fact]
    public void A_heartbeat_is_answered_with_its_number_the_view_and_the_digest_of_what_there_is()
    {
        var rig = new HostRig();
        PublishResult release = rig.Publish();
        NodeRig node = rig.Join(1, j => j with { Interest = [HostRig.Cart] });
        node.Send(new Heartbeat(77, default, []));
        rig.Run(HostRig.MillisecondNs);
        Digest160 vector = DigestOf(release.Id, HostRig.Shop, HostRig.Cart);
        Assert.Equal(new HeartbeatReply(77, node.Accepted!.View.Number, node.Accepted.FirstSequence, vector), node.Only<HeartbeatReply>());
    }

    [Fact]
    public void The_digest_is_another_after_a_commit_of_the_interest_and_the_same_after_one_of_another_application()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        Digest160 first = VectorOf(rig, node);
        rig.Publish(HostRig.Cart, ("a.bin", [1]));
        Assert.Equal(first, VectorOf(rig, node));
        PublishResult release = rig.Publish();
        Assert.Equal(DigestOf(release.Id, HostRig.Shop), VectorOf(rig, node));
        Assert.NotEqual(first, VectorOf(rig, node));
    }

    [Fact]
    public void The_view_in_the_answer_is_the_newest()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        NodeRig second = rig.Join(2);
        node.Heartbeat();
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal(second.Accepted!.View.Number, node.Only<HeartbeatReply>().View);
    }

    [Fact]
    public void The_rows_of_a_heartbeat_are_direct_evidence()
    {
        var rig = new HostRig();
        rig.Publish();
        rig.Publish();
        NodeRig node = rig.Join(1);
        node.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, 2, 2, 1));
        rig.Run(20 * HostRig.MillisecondNs);
        StatusRow row = rig.RowOf(1);
        Assert.Equal((2ul, 2ul, 1ul, 1ul), (row.Received, row.Persisted, row.Applied, row.DirectApplied));
        // Who says less later does not take it back.
        node.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, 1, 1, 0));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(row, rig.RowOf(1));
    }

    [Fact]
    public void Rows_of_no_generation_or_of_an_application_that_is_not_there_count_for_nothing()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig node = rig.Join(1);
        LevelRow[] rows = [new(HostRig.ShopTopic, 0, 1, 1, 1), new(99, 1, 1, 1, 1), new(HostRig.CartTopic, 1, 1, 1, 1)];
        node.Heartbeat(rows);
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(0ul, rig.RowOf(1).Received);
        Assert.Empty(rig.StatusRows(HostRig.Cart));
        Assert.Null(node.ClosedReason);
    }

    [Fact]
    public void A_heartbeat_before_the_answer_to_the_join_is_not_answered()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        node.Send(node.JoinMessage);
        node.Heartbeat();
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.JoinAccepted], node.Types);
        Assert.Null(node.ClosedReason);
    }

    [Fact]
    public void Who_asks_for_all_there_is_gets_the_newest_release_of_each_application_of_its_interest()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1, j => j with { Interest = [HostRig.Cart] });
        PublishResult release = rig.Publish();
        node.Send(new StateVectorRequest());
        rig.Run(HostRig.MillisecondNs);
        TopicState[] expected =
        [
            new(HostRig.Cart, HostRig.CartTopic, 1, HostRig.FirstEpoch, 0, default),
            new(HostRig.Shop, HostRig.ShopTopic, 1, HostRig.FirstEpoch, 1, release.Id),
        ];
        Assert.Equal(expected, node.Only<StateVector>().Topics);
    }

    private static Digest160 VectorOf(HostRig rig, NodeRig node)
    {
        node.Forget();
        node.Heartbeat();
        rig.Run(HostRig.MillisecondNs);
        return node.Only<HeartbeatReply>().StateVectorDigest;
    }

    /// <summary>The digest of an interest in which one application has its first release.</summary>
    private static Digest160 DigestOf(Digest160 id, params string[] interest)
    {
        var vector = new InterestDigest(interest);
        vector.Set(HostRig.Shop, 1, 1, id);
        return vector.Digest;
    }
}
