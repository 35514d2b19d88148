using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Tests.Releases;
using Ripple.Engine.Tests.Wire;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>How a node comes to a host: what it says of itself, and every way in which that ends.</summary>
public sealed class NodeJoinTests
{
    [Fact]
    public void A_node_connects_in_its_first_turn_and_says_what_it_is()
    {
        var options = new NodeOptions
        {
            Application = NodeRig.Application,
            Zone = "east",
            Name = "web-1",
            Interest = ["common", NodeRig.Application],
            Labels = [new("rack", "7")],
        };
        using var rig = new NodeRig(options, "one:1", "two:2");
        Assert.Equal([("one:1", NodeRig.SecondNs)], rig.Connector.Attempts);

        rig.Connect();

        Join join = rig.Host.Only<Join>();
        Assert.Equal(Join.CurrentVersion, join.ProtocolVersion);
        Assert.Equal(("east", "web-1", 0U), (join.Zone, join.Name, join.SlotEpoch));
        Assert.Equal(["common", NodeRig.Application], join.Interest);
        Assert.Equal([new("rack", "7")], join.Labels);
        Assert.Equal((rig.DataPort.LocalAddress, rig.ControlPort.LocalAddress), (join.DataAddress, join.ControlAddress));
        Assert.Equal([new HeldState("common", 0, 0, default), new HeldState(NodeRig.Application, 0, 0, default)], join.Held);
        Assert.False(rig.Node.IsJoined);
        Assert.Null(rig.Node.Link);
    }

    [Fact]
    public void A_join_that_is_accepted_makes_the_node_a_member_and_gives_it_the_signers()
    {
        using var rig = new NodeRig();
        rig.Answer = rig.Answer with { Signers = [new SignerCertificate((byte[])[1, 2]), new SignerCertificate((byte[])[3])] };
        rig.Join();

        Assert.Equal(1, rig.Joins);
        Assert.True(rig.Node.IsJoined);
        Assert.NotNull(rig.Node.Link);
        Assert.Equal(new ViewNumber(1, 10), rig.Node.View!.Number);
        Assert.Equal([[1, 2], [3]], rig.Verifier.Signers);
        Assert.Equal(NodeRig.Topic, rig.Replica.Topic);
        Assert.Empty(rig.Disconnects);
    }

    [Fact]
    public void Signers_are_taken_before_the_join_is_answered_and_after()
    {
        using var rig = new NodeRig();
        rig.Connect();
        rig.Send(new SignerCertificate((byte[])[7]));
        Assert.Equal([[7]], rig.Verifier.Signers);
        Assert.Empty(rig.Disconnects);

        using var joined = new NodeRig();
        joined.Join();
        joined.Verifier.Signers.Clear();
        joined.Send(new SignerCertificate((byte[])[8]));
        Assert.Equal([[8]], joined.Verifier.Signers);
        Assert.True(joined.Node.IsJoined);
    }

    [Fact]
    public void A_node_that_comes_again_says_what_it_holds_and_the_highest_epoch_it_saw()
    {
        using var rig = new NodeRig();
        rig.Answer = rig.Answer with { View = new RegionView(Sealing.RegionId, new ViewNumber(8, 1), [NodeRig.Member(NodeRig.OwnSlot)]) };
        rig.Join();
        var chain = new ReleaseChain();
        rig.Send(new CatchUpRelease(NodeRig.Topic, chain.Next(("a", "1"))));
        rig.Break("cut");
        rig.Run(NodeRig.SecondNs);
        rig.Host.Forget();
        rig.Connect();

        Join join = rig.Host.Only<Join>();
        Assert.Equal((8U, rig.Answer.HostIncarnation), (join.SlotEpoch, join.HostIncarnation));
        Assert.Equal([new HeldState(NodeRig.Application, 1, 1, chain.State.Id)], join.Held);
    }

    [Theory]
    [InlineData(ErrorCode.NotAllowed, true)]
    [InlineData(ErrorCode.UnknownVersion, true)]
    [InlineData(ErrorCode.Busy, false)]
    public void A_refused_join_says_code_and_text_and_is_a_refusal_unless_the_host_is_busy(ErrorCode code, bool isRefusal)
    {
        using var rig = new NodeRig();
        rig.Connect();
        rig.Send(new JoinRefused(code, "Ask an administrator."));

        Assert.Equal([($"{code}: Ask an administrator.", isRefusal)], rig.Disconnects);
        Assert.Contains("refused", Assert.Single(rig.Host.Ends), StringComparison.Ordinal);
        Assert.Equal(0, rig.Joins);
        rig.Run(NodeRig.SecondNs);
        Assert.Equal(2, rig.Connector.Attempts.Count);
    }

    [Fact]
    public void A_host_that_does_not_answer_the_join_is_left_after_five_seconds()
    {
        using var rig = new NodeRig();
        rig.Connect();
        rig.Run((5 * NodeRig.SecondNs) - 1);
        Assert.Empty(rig.Disconnects);

        rig.Run(1);
        Assert.Equal([("the host did not answer the join in time", false)], rig.Disconnects);
        Assert.Single(rig.Host.Ends);
    }

    [Fact]
    public void A_join_that_was_answered_is_not_given_up_later()
    {
        using var rig = new NodeRig();
        rig.Answer = rig.Answer with { HeartbeatMs = 100_000 };
        rig.Join();
        rig.Run(20 * NodeRig.SecondNs);

        Assert.Empty(rig.Disconnects);
        Assert.True(rig.Node.IsJoined);
    }

    [Theory]
    [InlineData(nameof(LinkConnectFailure.Unreachable), false)]
    [InlineData(nameof(LinkConnectFailure.Busy), false)]
    [InlineData(nameof(LinkConnectFailure.Untrusted), true)]
    [InlineData(nameof(LinkConnectFailure.Refused), true)]
    public void A_connect_that_failed_is_told_and_the_next_endpoint_is_tried(string failure, bool isRefusal)
    {
        using var rig = new NodeRig(null, "one:1", "two:2");
        rig.Connector.Fail(Enum.Parse<LinkConnectFailure>(failure), "no route");
        Assert.Equal([("no route", isRefusal)], rig.Disconnects);

        rig.Run(NodeRig.SecondNs);
        rig.Connector.Fail(Enum.Parse<LinkConnectFailure>(failure), "no route");
        rig.Run(NodeRig.SecondNs);
        Assert.Equal(["one:1", "two:2", "one:1"], rig.Connector.Attempts.Select(a => a.Endpoint));
    }

    [Fact]
    public void Pauses_between_connects_double_from_the_shortest_to_the_longest_with_chance()
    {
        using var rig = new NodeRig();
        long pauseNs = 100 * NodeRig.MsNs;
        var chances = new List<double>();
        for (int i = 0; i < 40; i++)
        {
            long failedNs = rig.Core.NowNs;
            rig.Connector.Fail(LinkConnectFailure.Unreachable, "no route");
            while (!rig.Connector.IsUnderWay)
            {
                rig.Core.DoWork(rig.Core.NextDueNs);
            }

            long waitedNs = rig.Core.NowNs - failedNs;
            Assert.InRange(waitedNs, pauseNs / 2, (pauseNs * 3 / 2) - 1);
            chances.Add((double)waitedNs / pauseNs);
            pauseNs = Math.Min(2 * pauseNs, 5 * NodeRig.SecondNs);
        }

        // Not all at the same part of the pause.
        Assert.True(chances.Max() - chances.Min() > 0.5);
    }

    [Fact]
    public void An_accepted_join_makes_the_pauses_short_again()
    {
        using var rig = new NodeRig();
        for (int i = 0; i < 10; i++)
        {
            rig.Connector.Fail(LinkConnectFailure.Unreachable, "no route");
            rig.Run(8 * NodeRig.SecondNs);
        }

        rig.Join();
        rig.Break("cut");
        rig.Run((150 * NodeRig.MsNs) - 1);
        Assert.True(rig.Connector.IsUnderWay);
    }

    [Fact]
    public void A_connection_that_breaks_is_told_and_made_again_to_the_same_host()
    {
        using NodeRig rig = new NodeRig(null, "one:1", "two:2").Join();
        rig.Break("the cable was cut");

        Assert.Equal([("the cable was cut", false)], rig.Disconnects);
        Assert.False(rig.Node.IsJoined);
        Assert.Null(rig.Node.Link);
        rig.Run(NodeRig.SecondNs);
        Assert.Equal(["one:1", "one:1"], rig.Connector.Attempts.Select(a => a.Endpoint));
        rig.Join();
        Assert.Equal((2, 2L), (rig.Joins, rig.Node.Counters.Joins));
    }

    [Fact]
    public void A_host_that_stops_sends_the_node_to_the_next()
    {
        using NodeRig rig = new NodeRig(null, "one:1", "two:2").Join();
        rig.SendRaw((ushort)MessageType.Goodbye, []);

        Assert.Equal([("the host stops", false)], rig.Disconnects);
        rig.Run(NodeRig.SecondNs);
        Assert.Equal(["one:1", "two:2"], rig.Connector.Attempts.Select(a => a.Endpoint));
    }

    [Theory]
    [InlineData((ushort)MessageType.JoinAccepted)]
    [InlineData((ushort)MessageType.StateVector)]
    [InlineData((ushort)MessageType.DirectDemand)]
    [InlineData((ushort)9_999)]
    public void A_frame_that_is_malformed_or_not_known_ends_the_connection_and_is_counted(ushort type)
    {
        using NodeRig rig = new NodeRig().Join();
        rig.SendRaw(type, [1]);

        Assert.Equal(1, rig.Node.Counters.ControlRefused);
        Assert.Equal([("the host sent a control frame that is malformed or not known", false)], rig.Disconnects);
        Assert.Single(rig.Host.Ends);
    }

    [Fact]
    public void A_frame_of_a_member_is_refused_before_the_join_was_answered()
    {
        using var rig = new NodeRig();
        rig.Connect();
        rig.Send(new StateVector([]));

        Assert.Equal(1, rig.Node.Counters.ControlRefused);
        Assert.Single(rig.Disconnects);
    }

    [Fact]
    public void A_second_acceptance_of_one_join_ends_the_connection()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Send(rig.Answer);

        Assert.Equal(1, rig.Node.Counters.ControlRefused);
        Assert.Equal(1, rig.Joins);
    }

    [Fact]
    public void A_node_that_leaves_says_why_and_does_not_come_again()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Node.Leave("the process ends");
        rig.Pump();

        Assert.Equal("the process ends", rig.Host.Only<Leave>().Reason);
        Assert.Contains("the process ends", Assert.Single(rig.Host.Ends), StringComparison.Ordinal);
        rig.Run(60 * NodeRig.SecondNs);
        Assert.Single(rig.Connector.Attempts);
    }

    [Fact]
    public void A_node_that_is_disposed_of_gives_everything_back_and_says_nothing_more()
    {
        var connecting = new NodeRig();
        connecting.Dispose();
        Assert.Equal(1, connecting.Connector.Cancelled);
        Assert.True(connecting.DataPort.IsDisposed && connecting.ControlPort.IsDisposed);

        NodeRig joined = new NodeRig().Join();
        joined.Dispose();
        joined.Pump();
        Assert.Contains("the node stopped", Assert.Single(joined.Host.Ends), StringComparison.Ordinal);
        joined.Run(60 * NodeRig.SecondNs);
        Assert.Empty(joined.Host.All<Heartbeat>());
        Assert.Empty(joined.Disconnects);
        Assert.Equal(long.MaxValue, joined.Core.Alarms.NextDueNs);
    }
}
