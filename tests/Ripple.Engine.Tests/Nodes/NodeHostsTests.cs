using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.Joining;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Which of several hosts a node asks, in which order and when, and how it comes to the one that leads.</summary>
public sealed class NodeHostsTests
{
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
    public void A_host_that_answers_late_does_not_hang_and_is_asked_again()
    {
        using var rig = new NodeRig(null, "one:1", "two:2", "three:3");
        rig.Run(2 * NodeRig.SecondNs);
        rig.Connector.Fail(LinkConnectFailure.Busy, "it does not lead yet");
        Assert.Contains("one:1", Try(rig, 2_000));
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
    public void A_host_that_names_itself_is_about_to_lead_and_is_asked_again_in_a_moment_and_once()
    {
        using var rig = new NodeRig(null, "one:1", "two:2");
        rig.Connector.Fail(LinkConnectFailure.Busy, "it leads in a moment", "one:1");
        rig.Run(150 * NodeRig.MsNs);
        Assert.Equal(["one:1", "one:1"], rig.Connector.Attempts.Select(a => a.Endpoint));
        Assert.NotEqual(rig.Connector.Attempts[0].AtNs, rig.Connector.Attempts[1].AtNs);
        Assert.Empty(rig.Disconnects);
        rig.Connector.Fail(LinkConnectFailure.Busy, "it leads in a moment", "one:1");
        Assert.Single(rig.Disconnects);
        rig.Run(150 * NodeRig.MsNs);
        Assert.Equal(["one:1", "one:1", "two:2"], rig.Connector.Attempts.Select(a => a.Endpoint));
    }

    [Theory]
    [InlineData("one:1")]
    [InlineData("two:2")]
    public void Who_has_calls_comes_before_others_to_a_host_that_takes_over(string leader)
    {
        long[] Returns(bool hasCalls) => [.. Enumerable.Range(1, 40).Select(draws =>
        {
            using var rig = new NodeRig(null, "one:1").Join();
            for (int i = 0; i < draws; i++)
            {
                rig.Core.Random.NextUInt64();
            }

            rig.HasCalls = hasCalls;
            rig.Break("the host is gone");
            rig.Run(NodeRig.SecondNs);
            rig.Connector.Fail(LinkConnectFailure.Busy, "who leads now", leader);
            long failedNs = rig.Core.NowNs;
            rig.Run(2 * NodeRig.SecondNs);
            return rig.Connector.Attempts[2].AtNs - failedNs;
        })];
        NodeOptions options = new() { Application = NodeRig.Application };
        long soonNs = leader == "one:1" ? options.ReconnectNsMin : 0;
        Assert.All(Returns(hasCalls: true), ns => Assert.InRange(ns, 0, soonNs + NodeRig.MsNs));
        long[] idle = Returns(hasCalls: false);
        Assert.All(idle, ns => Assert.InRange(ns, 1, options.ReturnSpreadNs + NodeRig.MsNs));
        Assert.InRange(idle.Count(ns => ns > options.ReturnSpreadNs / 2), 10, 30);
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
}
