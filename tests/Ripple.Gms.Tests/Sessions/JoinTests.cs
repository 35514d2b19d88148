using Ripple.Engine.Interest;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>What a node is answered that asks to be let in.</summary>
public sealed class JoinTests
{
    [Fact]
    public void An_accepted_join_says_everything_the_node_needs()
    {
        var rig = new HostRig(new GmsOptions { HeartbeatNs = 700_000_000 });
        rig.Publish();
        PublishResult newest = rig.Publish();
        NodeRig node = rig.Join(1);
        JoinAccepted accepted = node.Only<JoinAccepted>();
        Assert.Equal(MessageType.JoinAccepted, node.Types[0]);
        // The first number of a start is the host's own, the next is the first node's.
        Assert.Equal(((ulong)HostRig.FirstEpoch << 32) | 1, accepted.HostIncarnation);
        Assert.Equal(((ulong)HostRig.FirstEpoch << 32) | 2, accepted.Incarnation);
        Assert.Equal(rig.DataAddress, accepted.HostDataAddress);
        Assert.Equal(rig.ControlAddress, accepted.HostControlAddress);
        Assert.Equal(1u, accepted.Slot);
        Assert.Equal(new RegionIdentity("east", HostRig.Shop, []).RegionId, accepted.View.RegionId);
        Assert.Equal(new ViewNumber(HostRig.FirstEpoch, 1), accepted.View.Number);
        var member = new RegionMember(1, HostRig.NodeOf(1), accepted.Incarnation, node.DataAddress, node.ControlAddress);
        Assert.Equal(member, Assert.Single(accepted.View.Members));
        Assert.Equal(HostRig.FirstEpoch, accepted.KeyEpoch);
        Assert.Equal(16, accepted.Key.Length);
        Assert.Equal(1ul, accepted.FirstSequence);
        Assert.Equal([new TopicState(HostRig.Shop, HostRig.ShopTopic, 1, HostRig.FirstEpoch, 2, newest.Id)], accepted.Topics);
        Assert.Equal(rig.Certificate.ToArray(), Assert.Single(accepted.Signers).Der.ToArray());
        Assert.Equal(700u, accepted.HeartbeatMs);
        Assert.Equal(1, rig.Counters.Joins);
        Assert.Equal(1, rig.Counters.Members);
    }

    [Fact]
    public void The_topics_are_those_of_the_interest_and_of_the_nodes_own_application()
    {
        var rig = new HostRig();
        PublishResult release = rig.Publish();
        JoinAccepted accepted = rig.Join(1, j => j with { Interest = [HostRig.Shop] }, HostRig.Cart).Accepted!;
        TopicState[] expected =
        [
            new(HostRig.Cart, HostRig.CartTopic, 1, HostRig.FirstEpoch, 0, default),
            new(HostRig.Shop, HostRig.ShopTopic, 1, HostRig.FirstEpoch, 1, release.Id),
        ];
        Assert.Equal(expected, accepted.Topics);
        Assert.Equal(new RegionIdentity("east", HostRig.Cart, [HostRig.Shop]).RegionId, accepted.View.RegionId);
    }

    [Theory]
    [InlineData(Join.OldestVersion - 1, "This host speaks versions 1 to 2 of the protocol, the node 0. Upgrade the older of the two.")]
    [InlineData(Join.CurrentVersion + 1, "This host speaks versions 1 to 2 of the protocol, the node 3. Upgrade the older of the two.")]
    public void Another_version_of_the_protocol_is_refused_and_the_host_says_which_it_speaks(int version, string text)
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        ExpectRefusal(rig, node, node.JoinMessage with { ProtocolVersion = (ushort)version }, ErrorCode.UnknownVersion, text);
    }

    [Fact]
    public void The_oldest_version_is_let_in()
    {
        var rig = new HostRig();
        rig.Join(1, j => j with { ProtocolVersion = Join.OldestVersion });
    }

    [Theory]
    [InlineData("never-made")]
    [InlineData(HostRig.RevokedToken)]
    [InlineData(HostRig.ExpiredToken)]
    public void A_token_that_is_not_good_is_refused_by_its_name(string token)
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1, tokenId: token);
        string text = $"The token {token} is revoked, expired or not known here. Ask an administrator for another.";
        ExpectRefusal(rig, node, node.JoinMessage, ErrorCode.NotAllowed, text);
    }

    [Fact]
    public void An_interest_in_an_application_that_is_not_there_is_refused()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        Join join = node.JoinMessage with { Interest = [HostRig.Shop, "shpo"] };
        ExpectRefusal(rig, node, join, ErrorCode.UnknownApplication, "There is no application 'shpo'. An administrator creates it first.");
    }

    [Fact]
    public void A_node_whose_own_application_is_not_there_is_refused()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1, "shpo");
        Join join = node.JoinMessage with { Interest = [] };
        ExpectRefusal(rig, node, join, ErrorCode.UnknownApplication, "There is no application 'shpo'. An administrator creates it first.");
    }

    [Fact]
    public void An_interest_in_an_application_that_the_token_does_not_name_is_refused()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1, tokenId: HostRig.ShopToken);
        Join join = node.JoinMessage with { Interest = [HostRig.Shop, HostRig.Cart] };
        string text = "The token shop-only does not name the application 'cart'. Use a token that does.";
        ExpectRefusal(rig, node, join, ErrorCode.NotAllowed, text);
    }

    [Fact]
    public void The_nodes_own_application_needs_the_token_too()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1, HostRig.Cart, HostRig.ShopToken);
        Join join = node.JoinMessage with { Interest = [HostRig.Shop] };
        string text = "The token shop-only does not name the application 'cart'. Use a token that does.";
        ExpectRefusal(rig, node, join, ErrorCode.NotAllowed, text);
    }

    [Fact]
    public void The_version_is_judged_before_the_token_and_the_token_before_the_interest()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1, tokenId: "never-made");
        node.Send(node.JoinMessage with { ProtocolVersion = 9, Interest = ["shpo"] });
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal(ErrorCode.UnknownVersion, node.Only<JoinRefused>().Code);
        node = rig.Connect(1, tokenId: "never-made");
        node.Send(node.JoinMessage with { Interest = ["shpo"] });
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal(ErrorCode.NotAllowed, node.Only<JoinRefused>().Code);
    }

    [Fact]
    public void Who_joins_twice_on_one_connection_is_closed_and_a_member_no_more()
    {
        var rig = new HostRig();
        NodeRig other = rig.Join(1);
        NodeRig node = rig.Join(2);
        node.Send(node.JoinMessage);
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal("it joined twice on one connection", node.ClosedReason);
        Assert.Equal([node.Accepted!.Slot], other.All<ViewChange>().Last().RemovedSlots);
        Assert.Equal(1, rig.Counters.Members);
        Assert.Equal(1, rig.Counters.Failures);
    }

    [Fact]
    public void A_node_that_joins_again_on_another_connection_replaces_its_first()
    {
        var rig = new HostRig();
        NodeRig other = rig.Join(1);
        NodeRig first = rig.Join(2);
        other.Forget();
        NodeRig second = rig.Join(2);
        Assert.Equal("the node joined again", first.ClosedReason);
        Assert.Equal(first.Accepted!.Incarnation + 1, second.Accepted!.Incarnation);
        Assert.Equal(3u, second.Accepted.Slot);
        // One view takes the first out and the second in.
        ViewChange change = other.Only<ViewChange>();
        Assert.Equal([2u], change.RemovedSlots);
        Assert.Equal(second.Accepted.Incarnation, Assert.Single(change.Added).Incarnation);
        Assert.Equal(second.Accepted.View.Number, change.To);
        Assert.Equal(2, rig.Counters.Members);
        Assert.Equal(0, rig.Counters.Failures);
        Assert.Equal([(byte)2, (byte)0], rig.StatusRows().Where(r => r.Node == HostRig.NodeOf(2)).Select(r => r.State));
    }

    [Fact]
    public void A_node_that_joins_again_before_it_was_answered_is_answered_on_its_second_connection_alone()
    {
        var rig = new HostRig();
        NodeRig first = rig.Connect(1);
        first.Send(first.JoinMessage);
        rig.Run(3 * HostRig.MillisecondNs);
        NodeRig second = rig.Join(1);
        Assert.Empty(first.Types);
        Assert.Equal("the node joined again", first.ClosedReason);
        Assert.Equal([second.Accepted!.Incarnation], second.Accepted.View.Members.Select(m => m.Incarnation));
        Assert.Equal(1, rig.Counters.Joins);
    }

    [Fact]
    public void A_joiner_whose_answer_finds_no_room_is_no_member()
    {
        // Nothing may wait beside what the connections take.
        var rig = new HostRig(new GmsOptions { PassingBytesMax = 1 });
        NodeRig other = rig.Join(1);
        other.Forget();
        NodeRig full = rig.Connect(2);
        full.Send(full.JoinMessage);
        rig.Deliver();
        full.HoldUpFull();
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal((1L, 1L), (rig.Counters.Members, rig.Counters.Sessions));
        Assert.Null(full.Accepted);
        // The member that was told of it is told that it is gone.
        NodeRig next = rig.Join(3);
        Assert.Equal([2u], other.All<ViewChange>().SelectMany(v => v.RemovedSlots));
        Assert.Equal([HostRig.NodeOf(1)], next.Accepted!.View.Members.Select(m => m.Node).SkipLast(1));
        Assert.Equal([HostRig.NodeOf(1), HostRig.NodeOf(3)], rig.StatusRows().Select(r => r.Node));
    }

    [Fact]
    public void A_host_that_has_as_many_connections_as_it_may_takes_no_more()
    {
        var rig = new HostRig(new GmsOptions { SessionsMax = 1 });
        rig.Join(1);
        NodeRig second = rig.Connect(2);
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal("the host has as many sessions as it may", second.ClosedReason);
        Assert.Equal(1, rig.Counters.Sessions);
    }

    private static void ExpectRefusal(HostRig rig, NodeRig node, Join join, ErrorCode code, string text)
    {
        node.Send(join);
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.JoinRefused], node.Types);
        Assert.Equal(new JoinRefused(code, text), node.Only<JoinRefused>());
        Assert.Equal(text, node.ClosedReason);
        Assert.Equal(1, rig.Counters.JoinsRefused);
        Assert.Equal(0, rig.Counters.Joins);
        Assert.Equal(0, rig.Counters.Sessions);
        Assert.Equal(0, rig.Counters.Views);
    }
}
