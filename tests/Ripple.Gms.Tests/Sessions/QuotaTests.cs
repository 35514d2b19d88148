using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Wire;
using Ripple.Gms.Regions;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Server;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>How much of a host nodes may take: sessions, regions, and room in the answer to a join.</summary>
public sealed class QuotaTests
{
    [Fact]
    public void A_zone_for_each_node_is_refused_from_the_last_region_on_and_says_what_a_zone_is()
    {
        var rig = new HostRig(new GmsOptions { RegionsMax = 8, RegionsPerTokenMax = 8 });
        NodeRig[] nodes = [.. Enumerable.Range(1, 40).Select(i => rig.Connect(i))];
        foreach (NodeRig node in nodes)
        {
            node.Send(node.JoinMessage with { Zone = $"machine-{node.Number}" });
        }

        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal(8, nodes.Count(n => n.Accepted is not null));
        JoinRefused refused = nodes.Single(n => n.Number == 40).Only<JoinRefused>();
        Assert.Equal(ErrorCode.Busy, refused.Code);
        Assert.Equal(
            "The host has as many regions as it may (8), and the node would need another: each zone, application and interest has its own. "
                + "Its zone is 'machine-40': a zone names a site, not a machine.",
            refused.Text);
        Assert.Equal(32, rig.Counters.JoinsRefused);
        // Who belongs to a region that is there is let in, and an empty region makes room for another.
        Assert.NotNull(rig.Join(50, j => j with { Zone = "machine-1" }).Accepted);
        nodes[7].Break("gone");
        rig.RunAlive(HostRig.SecondNs, nodes[..7]);
        Assert.NotNull(rig.Join(51, j => j with { Zone = "machine-40" }).Accepted);
    }

    [Fact]
    public void One_token_has_half_of_the_regions_and_others_have_the_rest()
    {
        var rig = new HostRig(new GmsOptions { RegionsMax = 8 });
        NodeRig[] nodes = [.. Enumerable.Range(1, 6).Select(i => rig.Connect(i))];
        Array.ForEach(nodes, n => n.Send(n.JoinMessage with { Zone = $"zone-{n.Number}" }));
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Equal(4, nodes.Count(n => n.Accepted is not null));
        Assert.Contains("(4 with this token)", nodes[5].Only<JoinRefused>().Text, StringComparison.Ordinal);
        Assert.NotNull(rig.Join(7, j => j with { Zone = "zone-7" }, tokenId: HostRig.ShopToken).Accepted);
    }

    [Fact]
    public void One_token_leaves_a_tenth_of_the_sessions_to_others()
    {
        var rig = new HostRig(new GmsOptions { SessionsMax = 10 });
        NodeRig[] nodes = [.. Enumerable.Range(1, 10).Select(i => rig.Connect(i))];
        rig.Run(HostRig.MillisecondNs);
        Assert.All(nodes[..9], n => Assert.Null(n.ClosedReason));
        Assert.Equal("the host has as many sessions with this token as it may", nodes[9].ClosedReason);
        NodeRig other = rig.Connect(11, tokenId: HostRig.ShopToken);
        nodes[0].Break("gone");
        rig.Run(HostRig.MillisecondNs);
        Assert.Null(other.ClosedReason);
        NodeRig next = rig.Connect(12);
        rig.Run(HostRig.MillisecondNs);
        Assert.Null(next.ClosedReason);
    }

    [Fact]
    public void The_core_has_alarms_for_what_its_limits_allow()
    {
        GmsServerOptions options = HostHarness.Options("none");
        int alarms = options.Core.AlarmsMax;
        options = options with { Gms = options.Gms with { RegionsMax = options.Gms.RegionsMax + 100 } };
        Assert.Equal(alarms + 1_200, options.Core.AlarmsMax);
        options = options with { Gms = options.Gms with { ApplicationsMax = options.Gms.ApplicationsMax + 100 } };
        Assert.Equal(alarms + 2_000, options.Core.AlarmsMax);
    }

    [Theory]
    [InlineData(1_199)]
    [InlineData(1_473)]
    public async Task Datagrams_of_a_size_that_no_zone_may_have_are_refused_at_the_start(int bytes)
    {
        GmsServerOptions options = HostHarness.Options("none") with
        {
            Gms = new GmsOptions { DatagramBytes = new Dictionary<string, int> { ["east"] = bytes } },
        };
        GmsServerException wrong = await Assert.ThrowsAsync<GmsServerException>(
            () => GmsServer.StartAsync(options, new LineLogs(), HostHarness.Cancel));
        Assert.Equal(
            $"Datagrams of {bytes} bytes for the zone 'east' are not possible: give a number from 1200 to 1472.", wrong.Message);
    }

    [Theory]
    [InlineData("RegionsMax is 0: give a number from 1 to 16384.", 0, null, 10_000, null)]
    [InlineData("RegionsPerTokenMax is 9: give a number from 1 to 8.", 8, 9, 10_000, null)]
    [InlineData("SessionsMax is 15001: give a number from 1 to 15000.", 8, 8, 15_001, null)]
    [InlineData("SessionsPerTokenMax is 0: give a number from 1 to 10.", 8, 8, 10, 0)]
    public async Task Limits_that_cannot_be_are_refused_at_the_start(
        string reason, int regions, int? regionsPerToken, int sessions, int? sessionsPerToken)
    {
        GmsServerOptions options = HostHarness.Options("none") with
        {
            Gms = new GmsOptions
            {
                RegionsMax = regions,
                RegionsPerTokenMax = regionsPerToken,
                SessionsMax = sessions,
                SessionsPerTokenMax = sessionsPerToken,
            },
        };
        GmsServerException wrong = await Assert.ThrowsAsync<GmsServerException>(
            () => GmsServer.StartAsync(options, new LineLogs(), HostHarness.Cancel));
        Assert.Equal(reason, wrong.Message);
    }

    [Theory]
    [InlineData("A history of 1023 releases is too short: waits and nodes need 1024.", 1_023, null)]
    [InlineData("A history of 59999999999 ns is too short: give a minute or more.", null, 59_999_999_999)]
    public async Task A_history_too_short_for_nodes_is_refused_at_the_start(string reason, int? releases, long? ageNs)
    {
        GmsServerOptions options = HostHarness.Options("none") with
        {
            Gms = new GmsOptions { HistoryReleasesMax = releases, HistoryAgeNsMax = ageNs },
        };
        GmsServerException wrong = await Assert.ThrowsAsync<GmsServerException>(
            () => GmsServer.StartAsync(options, new LineLogs(), HostHarness.Cancel));
        Assert.Equal(reason, wrong.Message);
    }

    [Fact]
    public void The_largest_region_is_what_fits_one_answer_beside_the_signer()
    {
        Assert.Equal(WireLimits.RegionMembersMax, JoinAnswer.MembersMax(new byte[700]));
        int members = JoinAnswer.MembersMax(new byte[16_000]);
        Assert.InRange(members, 2_150, 2_250);
        Assert.InRange(JoinAnswer.MembersMax(new byte[60_000]), 1_250, 1_300);
    }

    [Fact]
    public void A_message_that_does_not_fit_a_frame_is_said_and_not_thrown()
    {
        var shorter = new Goodbye(new string('x', 60_000));
        Assert.True(MessageCodec.TryEncode(shorter, out byte[]? body));
        Assert.Equal(MessageCodec.Encode(shorter), body);
        Assert.False(MessageCodec.TryEncode(new LongMessage(new byte[140_000]), out body));
        Assert.Null(body);
    }

    /// <summary>A message as long as a test says.</summary>
    private sealed record LongMessage(byte[] Bytes) : IMessage<LongMessage>
    {
        public static MessageType Type => MessageType.JoinAccepted;

        public static LongMessage Read(ref WireReader reader) => new(reader.ReadBytes(1).ToArray());

        public void Write(ref WireWriter writer) => writer.WriteBytes(Bytes);
    }
}
