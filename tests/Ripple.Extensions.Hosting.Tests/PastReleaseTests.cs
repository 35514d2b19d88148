using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>A new process that rejects the newest release starts from one that most others run, or from one before the newest.</summary>
public sealed class PastReleaseTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_new_process_that_rejects_the_newest_starts_from_what_the_others_run()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await using TestService one = await TestService.StartNewAsync(cluster, "one", Background);
        await using TestService two = await TestService.StartNewAsync(cluster, "two", Background);
        for (int limit = 1; limit <= 3; limit++)
        {
            await cluster.PublishEverywhereAsync(Shop(limit));
            // Who has not joined yet is not waited for, and would only ever see the newest.
            await AppliedAsync(cluster, "one", (ulong)limit);
            await AppliedAsync(cluster, "two", (ulong)limit);
        }

        await cluster.PublishAsync(Shop(1_000));
        await ExpectAsync(cluster, "one");
        await ExpectAsync(cluster, "two");

        var seen = new List<string?>();
        await using (TestService fresh = await TestService.StartNewAsync(cluster, "fresh", build: builder => Witness(builder, seen)))
        {
            Assert.Equal((3, 3ul), (fresh.Shop.Limit, fresh.Client.Current().Release));
            Assert.NotEmpty(seen);
            Assert.All(seen, limit => Assert.Equal("3", limit));
            HealthReport health = await fresh.Get<HealthCheckService>().CheckHealthAsync(Token);
            Assert.Equal(HealthStatus.Degraded, health.Status);
            Assert.Contains("Release 4 stands rejected here", Assert.Single(health.Entries).Value.Description, StringComparison.Ordinal);
            await ExpectAsync(cluster, "fresh");
            await cluster.WaitForPersistedAsync("fresh", 4);
            await Poll.UntilAsync(() => cluster.IsOnDisk("fresh", "\"Limit\": 3"), "what it started from on disk");
        }

        await cluster.StopAsync();
        await using TestService again = await TestService.StartNewAsync(cluster, "fresh");
        Assert.Equal((3, 3ul), (again.Shop.Limit, again.Client.Current().Release));

        await cluster.StartAsync();
        // It may not have found the host again yet, and is no member then that the release is waited for.
        await cluster.PublishEverywhereAsync(Shop(5));
        await Poll.UntilAsync(() => again.Shop.Limit == 5, "the release that is accepted here again");
    }

    [Fact]
    public async Task Where_nobody_runs_an_earlier_one_it_goes_back_from_the_newest()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        await cluster.PublishAsync(Shop(2));
        await cluster.PublishAsync(Shop(2_000));
        await cluster.PublishAsync(Shop(1_000));
        // It is a member too: while it has told no more than an earlier release, that is one that others run.
        await AppliedAsync(cluster, TestCluster.PublisherName, 4);

        await using TestService fresh = await TestService.StartNewAsync(cluster, "fresh");

        Assert.Equal((2, 2ul), (fresh.Shop.Limit, fresh.Client.Current().Release));
        await Poll.UntilAsync(
            async () => await cluster.StatusOfAsync("fresh") is { Received: 4, Applied: 2, Rejected: 4 }, "both positions");
    }

    [Fact]
    public async Task A_process_that_rejects_them_all_does_not_start_and_names_them()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        for (int i = 1; i <= 3; i++)
        {
            await cluster.PublishAsync(Shop(1_000 * i));
        }

        HostApplicationBuilder builder = TestService.NewBuilder(cluster, "fresh", new TestService.LogLines());
        builder.AddRipple();
        builder.Services.AddOptions<ShopOptions>().BindConfiguration("Shop").ValidateDataAnnotations();
        using IHost host = builder.Build();

        RippleException e = await Assert.ThrowsAnyAsync<RippleException>(() => host.StartAsync(Token));

        Assert.Contains("rejects release 3", e.Message, StringComparison.Ordinal);
        Assert.Contains("Of the releases before it, it rejects 2: ", e.Message, StringComparison.Ordinal);
        Assert.Contains(" 1: ", e.Message, StringComparison.Ordinal);
    }

    private static void Background(RippleOptions options) => options.StartupMode = StartupMode.Background;

    private static Task AppliedAsync(TestCluster cluster, string node, ulong release) => Poll.UntilAsync(
        async () => await cluster.StatusOfAsync(node) is { } status && status.Applied == release, $"release {release} in effect at {node}");

    private static Task ExpectAsync(TestCluster cluster, string node) => Poll.UntilAsync(
        async () => await cluster.StatusOfAsync(node) is { Received: 4, Applied: 3, Rejected: 4 }, $"both positions of {node}");

    private static void Witness(HostApplicationBuilder builder, List<string?> seen) =>
        builder.Services.AddHostedService(s => new ConfigurationWitness(s.GetRequiredService<IConfiguration>(), "Shop:Limit", seen));

    private static (string Key, string? Text) Shop(int limit) => ("appsettings.json", $$"""{ "Shop": { "Limit": {{limit}} } }""");
}
