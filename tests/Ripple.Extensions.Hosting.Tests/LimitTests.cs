using System.Collections.Concurrent;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Connections;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>What hangs, or waits for what waits for it, ends by its limit and holds up nothing else.</summary>
public sealed class LimitTests
{
    private static readonly TimeSpan Patience = TestCluster.Patience;
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(100);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Releases_behind_a_validation_that_hangs_are_rejected_and_never_looked_at()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        using var hanging = new ManualResetEventSlim();
        var seen = new ConcurrentBag<int>();
        RippleOptions limits = null!;
        await using TestService service = await TestService.StartNewAsync(
            cluster,
            configure: options => limits = options,
            build: builder => builder.Services.AddOptions<ShopOptions>().Validate(o =>
            {
                seen.Add(o.Limit);
                return o.Limit != 2 || hanging.Wait(Timeout.Infinite, Token);
            }));

        limits.ValidationTimeout = Short;
        // Again where the machine is so slow that the time was over before its validation began, and nothing hangs yet.
        while (!seen.Contains(2))
        {
            await cluster.WaitAsync(await cluster.PublishAsync(Shop(2)));
        }

        for (int i = 3; i <= 5; i++)
        {
            WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(Shop(i)));
            Assert.Contains("of a release before it have not ended", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        }

        limits.ValidationTimeout = Patience;
        hanging.Set();
        await Poll.UntilAsync(
            async () => (await cluster.WaitAsync(await cluster.PublishAsync(Shop(6)))).Outcome == WaitOutcome.Held, "a good release");
        Assert.Equal(6, service.Shop.Limit);
        Assert.DoesNotContain(seen, limit => limit is >= 3 and <= 5);
    }

    [Fact]
    public async Task A_start_does_not_wait_for_a_validation_that_hangs()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(2));
        await using (TestService before = await TestService.StartNewAsync(cluster))
        {
            await cluster.WaitForPersistedAsync("service", 1);
        }

        using var hanging = new ManualResetEventSlim();

        RippleOptions limits = null!;
        Task<TestService> starting = TestService.StartNewAsync(
            cluster,
            configure: options =>
            {
                limits = options;
                options.ValidationTimeout = Short;
            },
            build: builder => builder.Services.AddOptions<ShopOptions>().Validate(_ => hanging.Wait(Timeout.Infinite, Token)));
        await using TestService service = await starting.WaitAsync(Patience, Token);

        Assert.Contains("Error: ripple: what is in effect could not be validated within", service.Log.Text, StringComparison.Ordinal);
        Assert.Equal("2", service.Configuration["Shop:Limit"]);
        limits.ValidationTimeout = Patience;
        hanging.Set();
        await Poll.UntilAsync(
            async () => (await cluster.WaitAsync(await cluster.PublishAsync(Shop(3)))).Outcome == WaitOutcome.Held, "a good release");
    }

    [Fact]
    public async Task Options_of_services_alone_may_be_made_with_the_client()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(7));
        HostApplicationBuilder builder = TestService.NewBuilder(cluster, "service", new TestService.LogLines());
        builder.Services.AddRipple();
        builder.Services.AddOptions<ShopOptions>().BindConfiguration("Shop").Configure<IRippleClient>(
            (o, client) => o.Title = client.Application);
        using IHost host = builder.Build();

        await host.StartAsync(Token).WaitAsync(Patience, Token);

        Assert.Equal(1ul, host.Services.GetRequiredService<IRippleClient>().Current().Release);
        Assert.Equal(
            "shop", host.Services.GetRequiredService<Microsoft.Extensions.Options.IOptionsMonitor<ShopOptions>>().CurrentValue.Title);
        await cluster.PublishEverywhereAsync(Shop(8));
        await host.StopAsync(Token);
    }

    [Fact]
    public void A_client_that_has_not_started_is_not_waited_for_while_a_release_is_validated()
    {
        var connection = new RippleConnection("orders", new RippleOptions { ConnectionString = "Endpoints=nowhere" });
        using var scope = ReadScope.See(connection, null);

        string message = Assert.Throws<InvalidOperationException>(() => new HostedRippleClient(connection)).Message;

        Assert.Contains("'orders' has not started, and is not waited for while a release is validated", message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_users_own_callback_has_the_users_own_limit()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        await using TestService service = await TestService.StartNewAsync(
            cluster, configure: options => options.ConfigureClient = client => client with
            {
                AcceptTimeout = Short,
                AcceptRelease = async (release, ended) =>
                {
                    if (release.Release == 2)
                    {
                        await Task.Delay(Timeout.Infinite, ended);
                    }

                    return release.Release == 3 ? null! : ReleaseDecision.Accept;
                },
            });

        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(Shop(2)));
        Assert.Contains(
            "The callback that accepts releases did not answer within 0.1 s.",
            Assert.Single(result.Members).Reason,
            StringComparison.Ordinal);
        result = await cluster.WaitAsync(await cluster.PublishAsync(Shop(3)));
        Assert.Contains(
            "The callback that accepts releases returned null.", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        Assert.Equal(1, service.Shop.Limit);

        await cluster.PublishEverywhereAsync(Shop(4));
        Assert.Equal(4, service.Shop.Limit);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(3_600_001)]
    public void A_validation_without_a_limit_is_refused(int limitMs)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);

        string message = Assert.Throws<InvalidOperationException>(() => builder.AddRipple("orders", o =>
        {
            o.Optional = true;
            o.ValidationTimeout = TimeSpan.FromMilliseconds(limitMs);
        })).Message;

        Assert.Contains("ValidationTimeout of Ripple 'orders' is", message, StringComparison.Ordinal);
    }

    private static (string Key, string? Text) Shop(int limit) => ("appsettings.json", $$"""{ "Shop": { "Limit": {{limit}} } }""");
}
