using System.Diagnostics.Metrics;
using System.Text;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Trust;

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
        Assert.Equal(2, (await late.Joined.Task).Signers.Count);
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

    private static async Task<RealNode> JoinAsync(HostHarness host, ConnectionString connection)
    {
        RealNode node = await RealNode.StartAsync(connection, ClusterAuthority.Load(host.Server.Directory.Authority).Trust);
        await node.Joined.Task.WaitAsync(TimeSpan.FromSeconds(30), HostHarness.Cancel);
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
