using System.Net;
using Ripple.Engine.Core;
using Ripple.Engine.Interest;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

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
        Assert.Equal(HostRig.FirstEpoch, (uint)(accepted.HostIncarnation >> 32));
        Assert.Equal(((ulong)HostRig.FirstEpoch << 32) | 1, accepted.Incarnation);
        Assert.Equal(rig.DataAddress, accepted.HostDataAddress);
        Assert.Equal(rig.ControlAddress, accepted.HostControlAddress);
        Assert.Equal(1u, accepted.Slot);
        Assert.Equal(new RegionIdentity("east", HostRig.Shop, []).RegionId, accepted.View.RegionId);
        Assert.Equal(new ViewNumber(HostRig.FirstEpoch, 0), accepted.View.Number);
        Assert.Empty(accepted.View.Members);
        var member = new RegionMember(1, HostRig.NodeOf(1), accepted.Incarnation, node.DataAddress, node.ControlAddress);
        Assert.Equal(member, Assert.Single(node.Accepted!.View.Members));
        Assert.Equal(HostRig.FirstEpoch, accepted.KeyEpoch);
        Assert.Equal(16, accepted.Key.Length);
        Assert.Equal(1ul, accepted.FirstSequence);
        Assert.Equal([new TopicState(HostRig.Shop, HostRig.ShopTopic, 1, HostRig.FirstEpoch, 2, newest.Id)], accepted.Topics);
        Assert.Equal(rig.Certificate.ToArray(), Assert.Single(accepted.Signers).Der.ToArray());
        Assert.Equal(700u, accepted.HeartbeatMs);
        Assert.Equal(WireLimits.DatagramBytesMax, accepted.DatagramBytes);
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
    [InlineData(Join.OldestVersion - 1, "This host speaks versions 4 to 11 of the protocol, the node 3. Upgrade the older of the two.")]
    [InlineData(Join.CurrentVersion + 1, "This host speaks versions 4 to 11 of the protocol, the node 12. Upgrade the older of the two.")]
    public void Another_version_of_the_protocol_is_refused_and_the_host_says_which_it_speaks(int version, string text)
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        ExpectRefusal(rig, node, node.JoinMessage with { ProtocolVersion = (ushort)version }, ErrorCode.UnknownVersion, text);
    }

    [Fact]
    public void A_node_that_knows_of_it_is_told_where_the_hosts_are_behind_the_answer_and_when_they_are_others()
    {
        var rig = new HostRig();
        NodeRig early = rig.Join(1);
        Assert.Empty(early.All<ClusterHosts>());
        rig.TellHosts("one:1", "two:2");
        Assert.Equal(["one:1", "two:2"], early.Only<ClusterHosts>().Endpoints);
        rig.TellHosts("one:1", "two:2");
        Assert.Single(early.All<ClusterHosts>());

        NodeRig late = rig.Join(2);
        Assert.Equal(["one:1", "two:2"], late.Only<ClusterHosts>().Endpoints);
        Assert.Equal(MessageType.JoinAccepted, late.Types[0]);
        NodeRig older = rig.Join(3, j => j with { ProtocolVersion = Join.HostsVersion - 1 });
        rig.TellHosts([new string('x', 256), .. Enumerable.Range(1, 20).Select(i => $"host-{i}:1")]);
        Assert.Empty(older.All<ClusterHosts>());
        Assert.Equal(Enumerable.Range(1, 16).Select(i => $"host-{i}:1"), late.All<ClusterHosts>().Last().Endpoints);
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

    [Theory]
    [InlineData("0.0.0.0:7001", "10.1.0.1:7002")]
    [InlineData("239.1.1.1:7001", "239.1.1.1:7002")]
    [InlineData("10.1.0.1:7001", "10.1.0.1:0")]
    [InlineData("10.1.0.1:7001", "10.1.0.2:7002")]
    public void Addresses_that_are_not_of_one_machine_are_refused(string data, string control)
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        Join join = node.JoinMessage with
        {
            DataAddress = NodeAddress.From(IPEndPoint.Parse(data)),
            ControlAddress = NodeAddress.From(IPEndPoint.Parse(control)),
        };
        string text = $"The node names {data} for data and {control} for control. Both must be of one machine: an address and a port, and "
            + "no group, broadcast or unspecified address.";
        ExpectRefusal(rig, node, join, ErrorCode.InvalidRequest, text);
    }

    [Fact]
    public void An_interest_in_an_application_that_is_not_there_is_refused()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        Join join = node.JoinMessage with { Interest = [HostRig.Shop, "shpo"] };
        ExpectRefusal(rig, node, join, ErrorCode.UnknownApplication, "There is no application 'shpo'. An administrator creates it first.");
    }

    [Theory]
    [InlineData("name", "\u001b]0;pwned\u0007\r\ninfo: forged", @"\u001B]0;pwned\u0007  info: forged")]
    [InlineData("zone", "eu\u009B2J", @"eu\u009B2J")]
    [InlineData("zone", "", "")]
    [InlineData("zone", "eu\u202E1", @"eu\u202E1")]
    [InlineData("label", "a b", "a b")]
    [InlineData("label's value", "x\u200B", @"x\u200B")]
    public void A_name_that_is_none_is_refused_and_said_safely(string what, string name, string shown)
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        Join join = what switch
        {
            "name" => node.JoinMessage with { Name = name },
            "zone" => node.JoinMessage with { Zone = name },
            "label" => node.JoinMessage with { Labels = [KeyValuePair.Create("ring", "one"), KeyValuePair.Create(name, "one")] },
            _ => node.JoinMessage with { Labels = [KeyValuePair.Create("ring", name)] },
        };
        string text = $"The node's {what} '{shown}' is not 1 to 64 of A-Z a-z 0-9 . _ -, starting with a letter or digit. "
            + "Correct it in the node's connection string or options.";
        ExpectRefusal(rig, node, join, ErrorCode.InvalidRequest, text);
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
        node.Send(node.JoinMessage with { ProtocolVersion = Join.CurrentVersion + 1, Interest = ["shpo"] });
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
        // One view takes the first out, and the next the second in.
        ViewChange[] changes = [.. other.All<ViewChange>()];
        Assert.Equal([2u], changes[0].RemovedSlots);
        Assert.Empty(changes[0].Added);
        Assert.Equal(second.Accepted.Incarnation, Assert.Single(changes[1].Added).Incarnation);
        Assert.Equal(second.Accepted.View.Number, changes[1].To);
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
        var rig = new HostRig(new GmsOptions { TransientBytesMax = 1 });
        NodeRig other = rig.Join(1);
        other.Forget();
        NodeRig full = rig.Connect(2);
        full.Send(full.JoinMessage);
        rig.Deliver();
        full.HoldUpFull();
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal((1L, 1L), (rig.Counters.Members, rig.Counters.Sessions));
        Assert.Null(full.Accepted);
        // Nobody was told of it.
        NodeRig next = rig.Join(3);
        Assert.Empty(other.All<ViewChange>().SelectMany(v => v.RemovedSlots));
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
