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

    [Theory]
    [InlineData(1, 5_000)]
    [InlineData(3, 400)]
    public void A_node_that_knows_several_hosts_does_not_wait_long_for_the_next(int hosts, int longestMs)
    {
        string[] endpoints = [.. Enumerable.Range(1, hosts).Select(i => $"host-{i}:1")];
        using var rig = new NodeRig(null, endpoints);
        for (int i = 0; i < 30; i++)
        {
            rig.Connector.Fail(LinkConnectFailure.Unreachable, "nobody is there");
            while (!rig.Connector.IsUnderWay)
            {
                rig.Run(NodeRig.MsNs);
            }
        }

        (string Endpoint, long AtNs)[] tried = [.. rig.Connector.Attempts];
        Assert.Equal(endpoints.Length, tried.Select(t => t.Endpoint).Distinct().Count());
        long[] pausesMs = [.. tried.Zip(tried.Skip(1)).Select(p => (p.Second.AtNs - p.First.AtNs) / NodeRig.MsNs)];
        // Jitter takes away up to half, and adds as much.
        Assert.InRange(pausesMs.Max(), longestMs / 2, longestMs * 3 / 2 + 1);
        Assert.InRange(pausesMs[0], 50 / Math.Min(hosts, 2), 151);
        // All are asked in a row.
        Assert.Equal(hosts > 1 ? 30 * (hosts - 1) / hosts : 0, pausesMs.Count(p => p < 76));
    }

    [Fact]
    public void A_host_that_hangs_is_not_asked_for_a_while_as_long_as_there_are_others()
    {
        using var rig = new NodeRig(null, "one:1", "two:2", "three:3");
        rig.Run(2 * NodeRig.SecondNs);
        rig.Connector.Fail(LinkConnectFailure.Unreachable, "it did not answer in time");
        string[] tried = Try(rig, 12_000);
        Assert.DoesNotContain("one:1", tried);
        Assert.Contains("two:2", tried);
        Assert.Contains("three:3", tried);
        Assert.Contains("one:1", Try(rig, 6_000));
    }

    [Fact]
    public void Hosts_that_all_hang_are_asked_all_the_same()
    {
        using var rig = new NodeRig(null, "one:1", "two:2");
        for (int i = 0; i < 5; i++)
        {
            rig.Run(2 * NodeRig.SecondNs);
            rig.Connector.Fail(LinkConnectFailure.Unreachable, "it did not answer in time");
            rig.Run(NodeRig.SecondNs);
        }

        Assert.Equal(2, rig.Connector.Attempts.Skip(2).Select(a => a.Endpoint).Distinct().Count());
    }

    [Fact]
    public void A_host_that_names_the_leader_sends_the_node_there_at_once_and_is_no_failure()
    {
        using var rig = new NodeRig();
        string own = rig.Connector.Attempts[0].Endpoint;
        rig.Connector.Fail(LinkConnectFailure.Busy, "not the leader", "leader:1");
        rig.Run(1);
        Assert.Equal([own, "leader:1"], rig.Connector.Attempts.Select(a => a.Endpoint));
        Assert.Empty(rig.Disconnects);

        // When it is gone, the host that named it is asked again.
        rig.Connector.Fail(LinkConnectFailure.Unreachable, "nobody is there");
        Assert.Single(rig.Disconnects);
        rig.Run(NodeRig.SecondNs);
        Assert.Equal([own, "leader:1", own], rig.Connector.Attempts.Select(a => a.Endpoint));
    }

    [Fact]
    public void Hosts_that_name_each_other_are_not_followed_in_circles()
    {
        using var rig = new NodeRig(null, "one:1");
        rig.Connector.Fail(LinkConnectFailure.Busy, "not the leader", "two:2");
        rig.Run(1);
        rig.Connector.Fail(LinkConnectFailure.Busy, "not the leader", "one:1");
        rig.Run(1);
        Assert.False(rig.Connector.IsUnderWay);
        Assert.Single(rig.Disconnects);
        rig.Run(NodeRig.SecondNs);
        Assert.Equal(["one:1", "two:2", "one:1"], rig.Connector.Attempts.Select(a => a.Endpoint));
    }

    [Fact]
    public void A_node_is_sent_on_three_times_in_a_row_at_most()
    {
        using var rig = new NodeRig(null, "one:1");
        for (int i = 2; i <= 5; i++)
        {
            rig.Connector.Fail(LinkConnectFailure.Busy, "not the leader", $"host-{i}:1");
            rig.Run(1);
        }

        Assert.Equal(["one:1", "host-2:1", "host-3:1", "host-4:1"], rig.Connector.Attempts.Select(a => a.Endpoint));
        Assert.False(rig.Connector.IsUnderWay);
    }

    [Fact]
    public void A_leader_that_hangs_is_not_followed_to_for_a_while()
    {
        using var rig = new NodeRig(null, "one:1", "two:2");
        rig.Run(2 * NodeRig.SecondNs);
        rig.Connector.Fail(LinkConnectFailure.Unreachable, "it did not answer in time");
        rig.Run(NodeRig.SecondNs);
        Assert.Equal("two:2", rig.Connector.Attempts[^1].Endpoint);
        int tried = rig.Connector.Attempts.Count;
        rig.Connector.Fail(LinkConnectFailure.Busy, "not the leader", "one:1");
        rig.Run(1);
        Assert.Equal(tried, rig.Connector.Attempts.Count);
        rig.Run(NodeRig.SecondNs);
        Assert.Equal("two:2", rig.Connector.Attempts[^1].Endpoint);
    }

    [Fact]
    public void A_node_that_lost_the_leader_it_was_sent_to_asks_it_first()
    {
        using var rig = new NodeRig(null, "one:1");
        rig.Connector.Fail(LinkConnectFailure.Busy, "not the leader", "two:2");
        rig.Run(1);
        rig.Join();
        rig.Break("cut");
        rig.Run(NodeRig.SecondNs);
        Assert.Equal(["one:1", "two:2", "two:2"], rig.Connector.Attempts.Select(a => a.Endpoint));
    }

    [Fact]
    public void Hosts_that_a_host_told_of_are_asked_behind_the_configured_ones_and_replaced_by_the_next_that_are_told()
    {
        using var rig = new NodeRig(null, "one:1");
        rig.Join();
        rig.Send(new ClusterHosts(["one:1", "two:2", "three:3"]));
        Assert.Equal(["one:1", "two:2", "three:3"], rig.Told);
        rig.Break("cut");
        Assert.Equal(["one:1", "two:2", "three:3", "one:1"], Try(rig, 2_000)[..4]);

        using var later = new NodeRig(null, "one:1");
        later.Join();
        later.Send(new ClusterHosts(["one:1", "two:2"]));
        later.Send(new ClusterHosts(["one:1", "four:4"]));
        later.Break("cut");
        Assert.Equal(["one:1", "four:4", "one:1"], Try(later, 2_000)[..3]);
    }

    [Fact]
    public void Sixteen_hosts_are_believed_besides_the_configured_ones_and_none_before_the_join_is_answered()
    {
        using var rig = new NodeRig(null, "one:1");
        rig.Join();
        rig.Send(new ClusterHosts([.. Enumerable.Range(1, 16).Select(i => $"told-{i}:1")]));
        rig.Break("cut");
        Assert.Equal(17, Try(rig, 4_000).Distinct().Count());

        using var early = new NodeRig(null, "one:1");
        early.Connect();
        early.Send(new ClusterHosts(["two:2"]));
        Assert.Empty(early.Told);
        Assert.Single(early.Disconnects);
    }

    [Fact]
    public void A_host_that_a_node_was_sent_to_and_is_not_told_of_is_asked_first_all_the_same()
    {
        using var rig = new NodeRig(null, "one:1");
        rig.Connector.Fail(LinkConnectFailure.Busy, "not the leader", "leader:1");
        rig.Run(1);
        rig.Join();
        rig.Send(new ClusterHosts(["two:2"]));
        rig.Break("cut");
        string[] tried = Try(rig, 1_000);
        Assert.Equal("leader:1", tried[0]);
        Assert.DoesNotContain("leader:1", tried[1..]);
    }

    /// <summary>Lets every attempt fail at once for some time; what was tried.</summary>
    private static string[] Try(NodeRig rig, int ms)
    {
        int before = rig.Connector.Attempts.Count;
        for (int i = 0; i < ms; i++)
        {
            rig.Run(NodeRig.MsNs);
            if (rig.Connector.IsUnderWay)
            {
                rig.Connector.Fail(LinkConnectFailure.Unreachable, "nobody is there");
            }
        }

        return [.. rig.Connector.Attempts.Skip(before).Select(a => a.Endpoint)];
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
