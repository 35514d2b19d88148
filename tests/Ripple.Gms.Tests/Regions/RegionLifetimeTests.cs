using Ripple.Client;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Server;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Regions;

/// <summary>
/// A region lives as long as somebody is in it: nodes name their zones, and a host must not keep one for each name it ever heard.
/// </summary>
public sealed class RegionLifetimeTests
{
    [Fact]
    public async Task A_region_goes_with_its_last_member_and_comes_again_above_its_old_views_and_keys()
    {
        using var directory = new TempDirectory();
        await using HostHarness host = await HostHarness.StartAsync(directory.Path);
        ViewNumber newest = default;
        uint newestKey = 0;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(HostHarness.Cancel);
        limit.CancelAfter(TimeSpan.FromMinutes(5));
        for (int round = 0; round < 3; round++)
        {
            RippleClient[] nodes =
                [await NodeAsync(host, "a", "east"), await NodeAsync(host, "b", "east"), await NodeAsync(host, "c", "west-" + round)];
            RegionView[] views = await ViewsAsync(host, nodes.Length, limit.Token);
            Assert.Equal(2, views.Length);
            RegionView east = views.Single(v => v.Members.Length == 2);
            Assert.True(east.Number.CompareTo(newest) > 0, $"view {east.Number} after {newest}");
            uint key = await host.Server.Runner.RunAsync(() => host.Server.Host.KeyEpochs.Single(k => k.Key == east.RegionId).Value);
            Assert.True(key > newestKey, $"key epoch {key} after {newestKey}");
            newestKey = key;
            foreach (RippleClient node in nodes)
            {
                await node.DisposeAsync();
            }

            while ((views = await ViewsAsync(host)).Length > 0)
            {
                newest = views.Select(v => v.Number).Append(newest).Max();
                await Task.Delay(20, limit.Token);
            }
        }
    }

    [Fact]
    public async Task Who_finds_a_region_full_goes_into_another_and_what_empties_is_filled_first()
    {
        using var directory = new TempDirectory();
        await using HostHarness host = await HostHarness.StartAsync(
            directory.Path, o => o with { Gms = o.Gms with { RegionMembersMax = 2 } });
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(HostHarness.Cancel);
        limit.CancelAfter(TimeSpan.FromMinutes(5));
        var nodes = new List<RippleClient>();
        for (int i = 0; i < 5; i++)
        {
            nodes.Add(await NodeAsync(host, "node-" + i, "east"));
        }

        RegionView[] views = await ViewsAsync(host, nodes.Count, limit.Token);
        Assert.Equal([1, 2, 2], views.Select(v => v.Members.Length).Order());

        // What is proven of all is proven over all regions, and each of them is streamed to.
        RippleClient publisher = await NodeAsync(host, "publisher", "west", host.Admin);
        Assert.Equal(4, (await ViewsAsync(host, nodes.Count + 1, limit.Token)).Length);
        (StreamSender Stream, long Messages)[] streams = await StreamsAsync(host);
        Assert.Equal(4, streams.Length);
        PublishResult release = await publisher.PublishAsync(
            new PublishRequest { Set = new Dictionary<string, ReadOnlyMemory<byte>> { ["key"] = new byte[10] } }, limit.Token);
        WaitResult proof = await publisher.WaitAsync(
            "default", release.Release, "MIN($ALL.applied)", ControlHarness.Patience, cancellationToken: limit.Token);
        Assert.Equal(WaitOutcome.Held, proof.Outcome);
        // Who is slow, or loses what was streamed, catches up besides; it is streamed to all the same.
        await ControlHarness.UntilAsync(
            async () => (await StreamsAsync(host)).All(
                now => now.Messages > streams.Single(before => before.Stream == now.Stream).Messages),
            "each region is streamed to");
        await publisher.DisposeAsync();

        // The second region goes with its members; the next two are its own again, and not a fourth one's.
        RegionView second = views.Single(v => v.Members.Any(m => m.Node == nodes[2].NodeId));
        await nodes[2].DisposeAsync();
        await nodes[3].DisposeAsync();
        while ((await ViewsAsync(host)).Any(v => v.RegionId == second.RegionId))
        {
            await Task.Delay(20, limit.Token);
        }

        nodes[2] = await NodeAsync(host, "again-2", "east");
        nodes[3] = await NodeAsync(host, "again-3", "east");
        views = await ViewsAsync(host, nodes.Count, limit.Token);
        RegionView again = views.Single(v => v.RegionId == second.RegionId);
        Assert.Equal(2, again.Members.Length);
        Assert.True(again.Number.CompareTo(second.Number) > 0, $"view {again.Number} after {second.Number}");
        foreach (RippleClient node in nodes)
        {
            await node.DisposeAsync();
        }
    }

    /// <summary>The views once they have so many members: a node enters when it is reached.</summary>
    private static async Task<RegionView[]> ViewsAsync(HostHarness host, int members, CancellationToken cancellationToken)
    {
        while (true)
        {
            RegionView[] views = await ViewsAsync(host);
            if (views.Sum(v => v.Members.Length) == members)
            {
                return views;
            }

            await Task.Delay(20, cancellationToken);
        }
    }

    /// <summary>The stream of each region, and how many messages it took.</summary>
    private static Task<(StreamSender Stream, long Messages)[]> StreamsAsync(HostHarness host) =>
        host.Server.Runner.RunAsync(() => host.Server.Host.Streams.Select(s => (s, s.Counters.Messages)).ToArray());

    private static Task<RegionView[]> ViewsAsync(HostHarness host) => host.Server.Runner.RunAsync(() => host.Server.Host.Views.ToArray());

    private static Task<RippleClient> NodeAsync(HostHarness host, string name, string zone, ConnectionString? connection = null) =>
        RippleClient.ConnectAsync(
            $"Endpoints={host.Server.Endpoint};Authority=sha256:{Convert.ToHexStringLower(host.Client.Authority.Span)};"
            + $"Token={(connection ?? host.Client).Token!.Reveal()}",
            new RippleClientOptions
            {
                Application = "default",
                Name = name,
                Zone = zone,
                SnapshotMode = SnapshotMode.Off,
                ConnectTimeout = ControlHarness.Patience,
            },
            HostHarness.Cancel);
}
