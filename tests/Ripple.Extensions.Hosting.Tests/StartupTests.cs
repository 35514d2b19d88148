using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>Starts with and without hosts, and what health says of it.</summary>
public sealed class StartupTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(500);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_dead_host_is_survived_from_the_snapshot_and_its_return_heals_without_restart()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Title", "first"));
        await using (TestService before = await TestService.StartNewAsync(cluster))
        {
            Assert.Equal(HealthStatus.Healthy, (await CheckAsync(before)).Status);
            await Poll.UntilAsync(
                () => Directory.EnumerateFiles(cluster.SnapshotPath("service"), "*.snapshot", SearchOption.AllDirectories).Any(),
                "the snapshot");
        }

        await cluster.StopAsync();
        await using TestService service = await TestService.StartNewAsync(cluster);

        Assert.Equal("first", service.Shop.Title);
        HealthReportEntry entry = await CheckAsync(service);
        Assert.Equal(HealthStatus.Degraded, entry.Status);
        Assert.Equal(1ul, entry.Data["release"]);
        Assert.Equal(1u, entry.Data["generation"]);
        Assert.Equal("shop", entry.Data["application"]);
        Assert.InRange((double)entry.Data["stale_seconds"], 0, 600);
        Assert.Contains("confirmed by a host", entry.Description, StringComparison.Ordinal);
        Assert.Equal(["ready"], entry.Tags);

        await cluster.StartAsync();
        await cluster.PublishAsync(("Shop/Title", "second"));

        await Poll.UntilAsync(
            async () => (await CheckAsync(service)).Status == HealthStatus.Healthy && service.Shop.Title == "second",
            "health and the new release");
    }

    [Fact]
    public async Task Past_the_greatest_age_health_is_unhealthy()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await using TestService service = await TestService.StartNewAsync(
            cluster, configure: o => o.MaxStaleness = TimeSpan.FromMilliseconds(1));
        await cluster.StopAsync();

        await Poll.UntilAsync(async () => (await CheckAsync(service)).Status == HealthStatus.Unhealthy, "unhealthy");
    }

    [Fact]
    public async Task Where_a_host_is_required_the_start_fails_and_says_why()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.StopAsync();
        using var log = new TestLoggers();

        RippleConnectionException e = await Assert.ThrowsAsync<RippleConnectionException>(
            () => TestService.StartNewAsync(cluster, configure: o =>
            {
                o.StartupMode = StartupMode.FailFast;
                o.StartupTimeout = Short;
                o.LoggerFactory = log;
            }));

        Assert.Contains("127.0.0.1", e.Message, StringComparison.Ordinal);
        Assert.Contains($"Error: ripple: the start failed: {e.Message}", log.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task In_the_background_a_start_waits_for_nothing_and_releases_come_later()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Title", "first"));
        await cluster.StopAsync();
        await using TestService service = await TestService.StartNewAsync(cluster, configure: o =>
        {
            o.StartupMode = StartupMode.Background;
            // Whoever waits for this fails the test by its limit.
            o.StartupTimeout = TimeSpan.FromHours(1);
        });
        Assert.Equal("none", service.Shop.Title);
        Assert.Equal(0ul, service.Client.Current().Release);
        HealthReportEntry entry = await CheckAsync(service);
        Assert.Equal(HealthStatus.Degraded, entry.Status);
        Assert.False(entry.Data.ContainsKey("stale_seconds"));

        await cluster.StartAsync();

        await Poll.UntilAsync(() => service.Shop.Title == "first", "the release");
    }

    [Fact]
    public async Task What_is_optional_starts_without_a_host_says_so_and_goes_on_trying()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Title", "first"));
        await cluster.StopAsync();
        await using TestService service = await TestService.StartNewAsync(cluster, configure: o =>
        {
            o.Optional = true;
            o.StartupTimeout = Short;
        });
        Assert.Equal("none", service.Shop.Title);
        Assert.Contains(
            "Error: ripple: the start failed, and the configuration begins without releases", service.Log.Text, StringComparison.Ordinal);

        await cluster.StartAsync();

        await Poll.UntilAsync(() => service.Shop.Title == "first", "the release");
    }

    [Fact]
    public async Task Without_a_connection_string_only_what_is_optional_starts()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        string message = Assert.Throws<InvalidOperationException>(() => builder.AddRipple("orders")).Message;
        Assert.Contains("ConnectionStrings:orders", message, StringComparison.Ordinal);

        builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?> { ["Ripple:orders:Optional"] = "true" });
        builder.AddRipple("orders");
        using IHost host = builder.Build();
        await host.StartAsync(Token);
        message = Assert.Throws<InvalidOperationException>(() => host.Services.GetService(typeof(IRippleClient))).Message;
        Assert.Contains("ConnectionStrings:orders", message, StringComparison.Ordinal);
        await host.StopAsync(Token);
    }

    private static async Task<HealthReportEntry> CheckAsync(TestService service) =>
        (await service.Get<HealthCheckService>().CheckHealthAsync(Token)).Entries["ripple"];
}
