using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>What a process rejected, or has not judged, is not what it starts from, and nobody is told that it is in effect.</summary>
public sealed class RejectedReleaseTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_process_that_rejected_a_release_starts_again_from_the_last_good_one(bool isHostThere)
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(7));
        await using (TestService before = await TestService.StartNewAsync(cluster))
        {
            await RejectAsync(cluster, 1_000);
            Assert.Equal(7, before.Shop.Limit);
            await ExpectRejectedAsync(before, 2);
            await cluster.WaitForPersistedAsync("service", 2);
        }

        if (!isHostThere)
        {
            await cluster.StopAsync();
        }

        await using TestService service = await TestService.StartNewAsync(cluster);

        Assert.Equal(7, service.Shop.Limit);
        Assert.Equal(1ul, service.Client.Current().Release);
        await ExpectRejectedAsync(service, 2);
        if (isHostThere)
        {
            await Poll.UntilAsync(async () => (await cluster.StatusOfAsync("service")).Rejected == 2, "the rejection, told again");
            MemberStatus told = await cluster.StatusOfAsync("service");
            Assert.Equal((2ul, 2ul, 1ul), (told.Received, told.Persisted, told.Applied));
            Assert.Contains("The field Limit must be between", told.Reason, StringComparison.Ordinal);
        }
        else
        {
            await cluster.StartAsync();
        }

        await cluster.PublishEverywhereAsync(Shop(8));
        Assert.Equal(8, service.Shop.Limit);
        await Poll.UntilAsync(async () => (await CheckAsync(service)).Status == HealthStatus.Healthy, "health");
    }

    [Theory]
    [InlineData(StartupMode.UseSnapshot)]
    [InlineData(StartupMode.FailFast)]
    public async Task A_new_process_that_rejects_the_newest_release_does_not_start_and_says_why(StartupMode mode)
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1_000));
        HostApplicationBuilder builder = TestService.NewBuilder(cluster, "fresh", new TestService.LogLines());
        builder.AddRipple(configure: o => o.StartupMode = mode);
        builder.Services.AddOptions<ShopOptions>().BindConfiguration("Shop").ValidateDataAnnotations();
        using IHost host = builder.Build();

        RippleException e = await Assert.ThrowsAnyAsync<RippleException>(() => host.StartAsync(Token));

        Assert.Contains("rejects release 1", e.Message, StringComparison.Ordinal);
        Assert.Contains("The field Limit must be between", e.Message, StringComparison.Ordinal);
        Assert.Contains("StartupMode.Background", e.Message, StringComparison.Ordinal);
        // Whether it still told that it had received the release, before it was gone, is a matter of moments.
        MemberStatus told = await cluster.StatusOfAsync("fresh");
        Assert.Equal(0ul, told.Applied);
        Assert.InRange(told.Received, 0ul, 1ul);
    }

    [Fact]
    public async Task What_comes_before_the_services_are_built_is_judged_by_them()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(7));
        await using (TestService before = await TestService.StartNewAsync(cluster))
        {
            await cluster.WaitForPersistedAsync("service", 1);
        }

        HostApplicationBuilder builder = TestService.NewBuilder(cluster, "service", new TestService.LogLines());
        builder.AddRipple();
        ulong bad = await cluster.PublishAsync(Shop(1_000));
        await Poll.UntilAsync(async () => (await cluster.StatusOfAsync("service")).Received == bad, "the release there");
        Assert.Equal("7", builder.Configuration["Shop:Limit"]);
        // Nobody has judged what it started from either.
        Assert.Equal(0ul, (await cluster.StatusOfAsync("service")).Applied);

        builder.Services.AddOptions<ShopOptions>().BindConfiguration("Shop").ValidateDataAnnotations();
        using IHost host = builder.Build();
        await host.StartAsync(Token);

        Assert.Equal(7, host.Services.GetRequiredService<IOptionsMonitor<ShopOptions>>().CurrentValue.Limit);
        await Poll.UntilAsync(
            async () => await cluster.StatusOfAsync("service") is { Applied: 1, Rejected: var rejected } && rejected == bad, "the truth");
        await host.StopAsync(Token);
    }

    [Fact]
    public async Task A_program_whose_validators_reject_now_what_it_accepted_before_does_not_run_with_it()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(7));
        await using (TestService before = await TestService.StartNewAsync(cluster))
        {
            await cluster.WaitForPersistedAsync("service", 1);
        }

        await using (TestService service = await TestService.StartNewAsync(
            cluster, configure: o => o.StartupMode = StartupMode.Background, build: Stricter))
        {
            await Poll.UntilAsync(async () => (await cluster.StatusOfAsync("service")).Rejected == 1, "the rejection");
            Assert.Null(service.Configuration["Shop:Limit"]);
            Assert.Equal(0ul, (await cluster.StatusOfAsync("service")).Applied);
            Assert.Equal(0ul, service.Client.Current().Release);
        }

        RippleException e = await Assert.ThrowsAnyAsync<RippleException>(() => TestService.StartNewAsync(cluster, build: Stricter));
        Assert.Contains("Fewer than 5.", e.Message, StringComparison.Ordinal);
        // Set back to the program that accepted it, it has what it accepted.
        await cluster.StopAsync();
        await using TestService back = await TestService.StartNewAsync(cluster, configure: o => o.StartupTimeout = TimeSpan.FromSeconds(2));
        Assert.Equal(7, back.Shop.Limit);

        static void Stricter(HostApplicationBuilder builder) =>
            builder.Services.AddOptions<ShopOptions>().Validate(o => o.Limit < 5, "Fewer than 5.");
    }

    [Fact]
    public async Task What_was_taken_back_while_a_process_was_away_runs_no_callback_there()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(7));
        await using (TestService before = await TestService.StartNewAsync(cluster))
        {
            await cluster.WaitForPersistedAsync("service", 1);
        }

        for (int i = 0; i < 35; i++)
        {
            await cluster.PublishAsync(Shop(66));
            await cluster.PublishAsync(Shop(1_000));
        }

        ulong newest = await cluster.PublishAsync(Shop(8));
        var seen = new ConcurrentQueue<int>();
        await using TestService service = await TestService.StartNewAsync(
            cluster,
            configure: o => o.StartupMode = StartupMode.Background,
            build: builder => builder.Services.AddHostedService(s => new Recorder(s, seen)));
        await Poll.UntilAsync(() => service.Shop.Limit == 8, "the newest release");

        Assert.DoesNotContain(seen, limit => limit is not (7 or 8));
        Assert.DoesNotContain("rejected", service.Log.Text, StringComparison.Ordinal);
        MemberStatus told = await cluster.StatusOfAsync("service");
        Assert.Equal(0ul, told.Rejected);
        await Poll.UntilAsync(async () => (await cluster.StatusOfAsync("service")).Applied == newest, "applied");
    }

    [Fact]
    public async Task What_is_here_and_stays_undecided_degrades_health_until_it_is_decided()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(7));
        var answer = new TaskCompletionSource<ReleaseDecision>(TaskCreationOptions.RunContinuationsAsynchronously);
        RippleOptions limits = null!;
        await using TestService service = await TestService.StartNewAsync(cluster, configure: o =>
        {
            limits = o;
            o.ConfigureClient = options => options with
            {
                AcceptTimeout = TestCluster.Patience * 2,
                AcceptRelease = async (release, stop) =>
                    release.Release == 1 ? ReleaseDecision.Accept : await answer.Task.WaitAsync(stop),
            };
        });
        HealthReportEntry entry = await CheckAsync(service);
        Assert.Equal((HealthStatus.Healthy, 1ul, 1ul), (entry.Status, entry.Data["release"], entry.Data["received"]));

        limits.ValidationTimeout = TimeSpan.FromSeconds(2);
        await cluster.PublishAsync(Shop(8));
        await Poll.UntilAsync(async () => (await CheckAsync(service)).Status == HealthStatus.Degraded, "health degraded");
        entry = await CheckAsync(service);
        Assert.Equal((1ul, 2ul), (entry.Data["release"], entry.Data["received"]));
        Assert.Contains("Release 2 is here, and has not been decided for", entry.Description, StringComparison.Ordinal);
        Assert.False(entry.Data.ContainsKey("rejected"));

        limits.ValidationTimeout = TestCluster.Patience;
        answer.SetResult(ReleaseDecision.Accept);
        await Poll.UntilAsync(async () => (await CheckAsync(service)).Data["release"] is 2ul, "release 2 in effect");
        Assert.Equal(HealthStatus.Healthy, (await CheckAsync(service)).Status);
    }

    private static (string Key, string? Text) Shop(int limit) => ("appsettings.json", $$"""{ "Shop": { "Limit": {{limit}} } }""");

    private static async Task RejectAsync(TestCluster cluster, int limit)
    {
        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(Shop(limit)));
        Assert.Equal(WaitOutcome.CannotHold, result.Outcome);
    }

    private static async Task ExpectRejectedAsync(TestService service, ulong release)
    {
        await Poll.UntilAsync(async () => (await CheckAsync(service)).Data.ContainsKey("rejected"), "the rejection in health");
        HealthReportEntry entry = await CheckAsync(service);
        Assert.Equal(HealthStatus.Degraded, entry.Status);
        Assert.Equal(release, entry.Data["rejected"]);
        Assert.Contains("The field Limit must be between", entry.Description, StringComparison.Ordinal);
    }

    private static async Task<HealthReportEntry> CheckAsync(TestService service) =>
        (await service.Get<HealthCheckService>().CheckHealthAsync(Token)).Entries["ripple"];

    /// <summary>Records what a monitor tells, from before anything starts.</summary>
    private sealed class Recorder : BackgroundService
    {
        private readonly IDisposable? _listening;

        public Recorder(IServiceProvider services, ConcurrentQueue<int> seen)
        {
            IOptionsMonitor<ShopOptions> monitor = services.GetRequiredService<IOptionsMonitor<ShopOptions>>();
            seen.Enqueue(monitor.CurrentValue.Limit);
            _listening = monitor.OnChange(o => seen.Enqueue(o.Limit));
        }

        public override void Dispose()
        {
            _listening?.Dispose();
            base.Dispose();
        }

        protected override Task ExecuteAsync(CancellationToken stoppingToken) => Task.CompletedTask;
    }
}
