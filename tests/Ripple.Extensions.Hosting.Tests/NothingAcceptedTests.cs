using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>A process that has accepted nothing, and may start without a release, shows its services none.</summary>
public sealed class NothingAcceptedTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_process_that_rejected_the_only_release_shows_it_to_nobody_after_a_restart(bool isHostThere)
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await using (await TestService.StartNewAsync(cluster, configure: InBackground))
        {
            await cluster.PublishAsync(Shop(1_000));
            await Poll.UntilAsync(() => cluster.IsOnDisk("service", "The field Limit must be between"), "the rejection on disk");
        }

        if (!isHostThere)
        {
            await cluster.StopAsync();
        }

        var seen = new List<string?>();
        string? built = "not built";
        await using TestService service = await TestService.StartNewAsync(cluster, configure: InBackground, build: builder =>
        {
            built = builder.Configuration["Shop:Limit"];
            Witness(builder, seen);
        });

        Assert.Null(built);
        if (!isHostThere)
        {
            await cluster.StartAsync();
        }

        await cluster.PublishAsync(Shop(8));
        await Poll.UntilAsync(() => service.Shop.Limit == 8, "the good release");
        Assert.All(seen, limit => Assert.True(limit is null or "8", limit));
    }

    /// <summary>
    /// The start waits for a decision, and goes on without one: the validators accept the release, a callback does not answer.
    /// </summary>
    [Fact]
    public async Task What_still_waits_for_its_decision_is_shown_to_services_when_it_has_it()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(7));
        var answer = new TaskCompletionSource<ReleaseDecision>(TaskCreationOptions.RunContinuationsAsynchronously);
        var seen = new List<string?>();
        RippleOptions limits = null!;
        await using TestService service = await TestService.StartNewAsync(
            cluster,
            configure: o =>
            {
                limits = o;
                o.ValidationTimeout = TimeSpan.FromSeconds(1);
                o.ConfigureClient = options => options with
                {
                    AcceptTimeout = TestCluster.Patience,
                    AcceptRelease = async (_, stop) => await answer.Task.WaitAsync(stop),
                };
            },
            build: builder => Witness(builder, seen));
        Assert.NotEmpty(seen);
        Assert.All(seen, Assert.Null);

        // The start was to go on without a decision; the validation itself has its time.
        limits.ValidationTimeout = TestCluster.Patience;
        answer.SetResult(ReleaseDecision.Accept);

        await Poll.UntilAsync(() => service.Shop.Limit == 7, "the release");
    }

    [Fact]
    public async Task Where_the_connection_is_optional_a_new_process_shows_its_services_nothing_that_it_rejects()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1_000));
        var seen = new List<string?>();
        string? built = null;
        await using TestService service = await TestService.StartNewAsync(
            cluster,
            configure: o => o.Optional = true,
            build: builder =>
            {
                built = builder.Configuration["Shop:Limit"];
                Witness(builder, seen);
            });
        // What builds the services may need values.
        Assert.Equal("1000", built);

        await cluster.PublishEverywhereAsync(Shop(8));

        Assert.Equal(8, service.Shop.Limit);
        Assert.All(seen, limit => Assert.True(limit is null or "8", limit));
    }

    [Fact]
    public async Task Where_the_connection_is_optional_a_new_process_starts_with_the_release_it_accepts()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(7));
        var seen = new List<string?>();
        await using TestService service = await TestService.StartNewAsync(
            cluster, configure: o => o.Optional = true, build: builder => Witness(builder, seen));

        Assert.All(seen, limit => Assert.Equal("7", limit));
        Assert.Equal(1ul, service.Client.Current().Release);
    }

    private static void InBackground(RippleOptions options) => options.StartupMode = StartupMode.Background;

    private static void Witness(HostApplicationBuilder builder, List<string?> seen) =>
        builder.Services.AddHostedService(s => new ConfigurationWitness(s.GetRequiredService<IConfiguration>(), "Shop:Limit", seen));

    private static (string Key, string? Text) Shop(int limit) => ("appsettings.json", $$"""{ "Shop": { "Limit": {{limit}} } }""");
}
