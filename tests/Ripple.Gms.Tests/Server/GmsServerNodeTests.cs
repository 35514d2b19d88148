using System.Diagnostics.Metrics;
using System.Text;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Api;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Trust;
using PublishResult = Ripple.Engine.Protocol.Calls.PublishResult;

namespace Ripple.Gms.Tests.Server;

/// <summary>A host and real nodes, over real sockets: what a publish goes through from end to end.</summary>
public sealed class GmsServerNodeTests : IDisposable
{
    private const string Measured = "measured";
    private readonly TempDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Publish_reaches_the_nodes_and_survives_a_restart()
    {
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path, o => o with { Name = Measured }))
        {
            await using RealNode reader = await JoinAsync(host, host.Client);
            await using RealNode publisher = await JoinAsync(host, host.Admin);
            PublishResult first = await publisher.PublishAsync("settings.json", "{\"a\": 1}");
            Assert.Equal((ErrorCode.None, 1UL), (first.Code, first.Release));
            PublishResult second = await publisher.PublishAsync("settings.json", "{\"a\": 2}");
            Assert.Equal((ErrorCode.None, 2UL), (second.Code, second.Release));
            await ControlHarness.UntilAsync(() => reader.Applied.ContainsKey(2), "the reader applied release 2");
            Assert.Equal("{\"a\": 2}", Text(reader, 2));
            PublishResult refused = await reader.PublishAsync("settings.json", "{}");
            Assert.Equal(ErrorCode.NotAllowed, refused.Code);
            Assert.Equal(2, Measure("ripple.gms.members"));
            Assert.Equal(2, Measure("ripple.gms.releases.committed"));
            Assert.Equal(1, Measure("ripple.gms.publishes.refused"));
            Assert.True(Measure("ripple.engine.turns") > 0);
            Assert.Equal(0, Measure("ripple.engine.datagrams.dropped"));
        }

        await using HostHarness again = await HostHarness.StartAsync(_directory.Path);
        await using RealNode late = await JoinAsync(again, again.Client);
        await ControlHarness.UntilAsync(() => late.Applied.ContainsKey(2), "a late node applied release 2");
        Assert.Equal("{\"a\": 2}", Text(late, 2));
    }

    [Fact]
    public async Task Release_of_an_earlier_signing_key_is_still_believed()
    {
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            await using RealNode publisher = await JoinAsync(host, host.Admin);
            Assert.Equal(ErrorCode.None, (await publisher.PublishAsync("a.txt", "signed by the first key")).Code);
            File.Delete(host.Server.Directory.Signer);
        }

        await using HostHarness again = await HostHarness.StartAsync(_directory.Path);
        await using RealNode late = await JoinAsync(again, again.Client);
        await ControlHarness.UntilAsync(() => late.Applied.ContainsKey(1), "a late node applied what the earlier key signed");
        Assert.Equal("signed by the first key", Text(late, 1));
    }

    [Fact]
    public async Task Member_whose_token_is_revoked_is_expelled()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        await using RealNode node = await JoinAsync(host, host.Client);
        await host.RevokeAsync(host.Client);
        await ControlHarness.UntilAsync(
            () => node.Disconnects.Any(r => r.Contains("revoked", StringComparison.Ordinal)), "the node was told why");
        await ControlHarness.UntilAsync(() => host.Server.Host.Counters is { Members: 0, Expulsions: 1 }, "the member was expelled");
        await ControlHarness.UntilAsync(() => host.Logs.Lines.Any(l => l.Id == (int)GmsEventKind.Expelled), "the expulsion was logged");
    }

    [Fact]
    public async Task A_running_host_signs_with_another_key_and_members_and_those_who_come_know_both()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        await using RealNode reader = await JoinAsync(host, host.Client);
        await using RealNode publisher = await JoinAsync(host, host.Admin);
        SignerRenewal renewal = host.Server.Renewal!;
        Assert.False(renewal.IsDue());
        byte[] first = File.ReadAllBytes(host.Server.Directory.Signer);
        await renewal.StepAsync(isDue: false);
        Assert.Equal(first, File.ReadAllBytes(host.Server.Directory.Signer));
        await publisher.PublishAsync("a.txt", "by the first key");

        await renewal.StepAsync(isDue: true);
        Assert.NotEqual(first, File.ReadAllBytes(host.Server.Directory.Signer));
        await publisher.PublishAsync("a.txt", "by the first key, while the second is told");
        await renewal.StepAsync(isDue: false);
        await publisher.PublishAsync("a.txt", "by the second key");

        await ControlHarness.UntilAsync(() => reader.Applied.ContainsKey(3), "a member applied what the second key signed");
        Assert.Equal("by the second key", Text(reader, 3));
        await using RealNode late = await JoinAsync(host, host.Client);
        await ControlHarness.UntilAsync(() => late.Applied.ContainsKey(3), "who came later applied it");
        Assert.Equal(2, Directory.GetFiles(host.Server.Directory.Signers).Length);
        ulong[] signers = await host.BesideAsync(async store =>
        {
            IReadOnlyList<ReleaseRecord> all = await store.ReadAsync<IReadOnlyList<ReleaseRecord>>(
                done => store.ReadHistory(1, ulong.MaxValue, 10, done));
            return all.Select(r => ReleaseSignature.TryRead(r.Signature.Span)!.SignerId).ToArray();
        });
        Assert.Equal((2, signers[1]), (signers.Distinct().Count(), signers[2]));
    }

    [Fact]
    public async Task Node_that_is_revoked_is_sent_away_and_refused_with_its_certificate_but_not_with_another()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        await using RealNode node = await JoinAsync(host, host.Client);
        using var admin = new RippleAdminClient(host.Admin);
        NodeInfo listed = Assert.Single(await ApiHarness.AllAsync(admin.ListNodesAsync("default", null, HostHarness.Cancel)));

        await admin.RevokeNodeAsync(listed.NodeId, "its disk was stolen", HostHarness.Cancel);

        await ControlHarness.UntilAsync(() => host.Server.Host.Counters is { Members: 0, Expulsions: 1 }, "the member was expelled");
        await ControlHarness.UntilAsync(
            () => node.Disconnects.Any(r => r.Contains("This node was revoked", StringComparison.Ordinal)), "its certificate is refused");
        RevokedNodeInfo revoked = Assert.Single(await ApiHarness.AllAsync(admin.ListRevokedNodesAsync(HostHarness.Cancel)));
        Assert.Equal((listed.NodeId, listed.Name, "its disk was stolen"), (revoked.NodeId, revoked.Name, revoked.Reason));
        AuditInfo audit = (await ApiHarness.AllAsync(admin.ListAuditAsync("default", HostHarness.Cancel)))[0];
        Assert.Equal(
            ("node.revoke", $"{listed.NodeId} ({listed.Name}): its disk was stolen", revoked.Actor),
            (audit.Action, audit.Detail, audit.Actor));
        await using RealNode anew = await JoinAsync(host, host.Client);
    }

    private static async Task<RealNode> JoinAsync(HostHarness host, ConnectionString connection)
    {
        RealNode node = await RealNode.StartAsync(connection, ClusterAuthority.Load(host.Server.Directory.Authority).Trust);
        await node.Joined.Task.WaitAsync(TimeSpan.FromMinutes(2), HostHarness.Cancel);
        return node;
    }

    private static string Text(RealNode node, ulong release) =>
        Encoding.UTF8.GetString(Assert.Single(node.Applied[release].Values).Value.Span);

    private static long Measure(string instrument)
    {
        long sum = 0;
        using var listener = new MeterListener
        {
            InstrumentPublished = (i, l) =>
            {
                if (i.Name == instrument && i.Meter.Tags!.Any(t => t.Value is Measured))
                {
                    l.EnableMeasurementEvents(i);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, value, _, _) => sum += value);
        listener.Start();
        listener.RecordObservableInstruments();
        return sum;
    }
}
