using Ripple.Client;
using Ripple.Engine.Regions;
using Ripple.Gms.Tests.Hosting;

namespace Ripple.Gms.Tests.Membership;

/// <summary>A region lives as long as somebody is in it: nodes name their zones, and a host must not keep one for each name it ever heard.</summary>
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
        limit.CancelAfter(TimeSpan.FromSeconds(60));
        for (int round = 0; round < 3; round++)
        {
            RippleClient[] nodes = [await NodeAsync(host, "a", "east"), await NodeAsync(host, "b", "east"), await NodeAsync(host, "c", "west-" + round)];
            RegionView[] views = await ViewsAsync(host);
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

    private static Task<RegionView[]> ViewsAsync(HostHarness host) => host.Server.Runner.RunAsync(() => host.Server.Host.Views.ToArray());

    private static Task<RippleClient> NodeAsync(HostHarness host, string name, string zone) => RippleClient.ConnectAsync(
        $"Endpoints={host.Server.Endpoint};Authority=sha256:{Convert.ToHexStringLower(host.Client.Authority.Span)};Token={host.Client.Token!.Reveal()}",
        new RippleClientOptions { Application = "default", Name = name, Zone = zone, SnapshotMode = SnapshotMode.Off },
        HostHarness.Cancel);
}
