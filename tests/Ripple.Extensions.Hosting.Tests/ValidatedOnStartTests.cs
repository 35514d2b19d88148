using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>
/// Options that are validated on start see what the process decided on: .NET validates them before any service starts, and what the newest
/// release has wrong must not end a start that an earlier release, or a mode, allows.
/// </summary>
public sealed class ValidatedOnStartTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<bool> Orders => [true, false];

    [Theory]
    [MemberData(nameof(Orders))]
    public async Task A_new_process_that_rejects_the_newest_starts_from_an_earlier_one(bool isValidatedFirst)
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1));
        await cluster.PublishAsync(Shop(2));
        await cluster.PublishAsync(Shop(1_000));

        using IHost fresh = Build(cluster, "fresh", isValidatedFirst);
        await fresh.StartAsync(Token);

        Assert.Equal(2, fresh.Services.GetRequiredService<IOptionsMonitor<ShopOptions>>().CurrentValue.Limit);
        Assert.Equal(2ul, fresh.Services.GetRequiredService<IRippleClient>().Current().Release);
        await fresh.StopAsync(Token);
    }

    /// <summary>New code comes with the release that it needs: the one that the code before it kept is not what it starts from.</summary>
    [Fact]
    public async Task What_was_kept_and_is_valid_no_more_gives_way_to_the_newest()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(50));
        using (IHost before = Build(cluster, "service", isValidatedFirst: false))
        {
            await before.StartAsync(Token);
            await cluster.WaitForPersistedAsync("service", 1);
            await before.StopAsync(Token);
        }

        await cluster.PublishAsync(Shop(7));

        using IHost after = Build(cluster, "service", isValidatedFirst: false, limitMax: 10);
        await after.StartAsync(Token);

        Assert.Equal(7, after.Services.GetRequiredService<IOptionsMonitor<ShopOptions>>().CurrentValue.Limit);
        await after.StopAsync(Token);
    }

    [Fact]
    public async Task Where_all_are_rejected_the_start_says_which_and_why()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(2_000));
        await cluster.PublishAsync(Shop(1_000));
        using IHost fresh = Build(cluster, "fresh", isValidatedFirst: false);

        RippleException e = await Assert.ThrowsAnyAsync<RippleException>(() => fresh.StartAsync(Token));

        Assert.Contains("rejects release 2", e.Message, StringComparison.Ordinal);
        Assert.Contains("The field Limit must be between", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_process_that_may_start_without_a_release_starts_without_the_one_it_rejects()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(1_000));

        using IHost fresh = Build(cluster, "fresh", isValidatedFirst: true, configure: o => o.StartupMode = StartupMode.Background);
        await fresh.StartAsync(Token);

        Assert.Equal(new ShopOptions().Limit, fresh.Services.GetRequiredService<IOptionsMonitor<ShopOptions>>().CurrentValue.Limit);
        await Poll.UntilAsync(
            async () => await cluster.StatusOfAsync("fresh") is { Received: 1, Applied: 0, Rejected: 1 }, "its rejection");
        await fresh.StopAsync(Token);
    }

    [Theory]
    [MemberData(nameof(Orders))]
    public async Task What_no_release_can_mend_ends_the_start_before_any_service_starts(bool isValidatedFirst)
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(3));
        var seen = new List<string?>();
        using IHost host = Build(cluster, "service", isValidatedFirst, build: services =>
        {
            services.AddOptions<StockOptions>().Validate(_ => false, "There is no stock.").ValidateOnStart();
            services.AddHostedService(s => new ConfigurationWitness(
                s.GetRequiredService<IConfiguration>(), "Shop:Limit", seen));
        });

        OptionsValidationException e = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(Token));

        Assert.Contains("There is no stock.", e.Message, StringComparison.Ordinal);
        Assert.Empty(seen);
    }

    /// <summary>.NET does not hand the start's token to what validates; the end of the host is what it hears.</summary>
    [Fact]
    public async Task A_host_that_is_told_to_stop_meanwhile_does_not_wait_for_a_decision()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Shop(3));
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using IHost host = Build(cluster, "service", isValidatedFirst: false, configure: o =>
        {
            o.ValidationTimeout = TestCluster.Patience;
            o.ConfigureClient = options => options with
            {
                AcceptTimeout = TestCluster.Patience,
                AcceptRelease = async (_, stop) =>
                {
                    asked.SetResult();
                    await Task.Delay(Timeout.Infinite, stop);
                    return ReleaseDecision.Accept;
                },
            };
        });

        Task start = Task.Run(() => host.StartAsync(Token), Token);
        await asked.Task.WaitAsync(Token);
        host.Services.GetRequiredService<IHostApplicationLifetime>().StopApplication();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => start.WaitAsync(TestCluster.Patience / 2, Token));
    }

    private static IHost Build(
        TestCluster cluster,
        string name,
        bool isValidatedFirst,
        int limitMax = 100,
        Action<RippleOptions>? configure = null,
        Action<IServiceCollection>? build = null)
    {
        HostApplicationBuilder builder = TestService.NewBuilder(cluster, name, new TestService.LogLines());
        if (isValidatedFirst)
        {
            AddOptions();
        }

        builder.AddRipple(configure: configure);
        if (!isValidatedFirst)
        {
            AddOptions();
        }

        build?.Invoke(builder.Services);
        return builder.Build();

        void AddOptions() => builder.Services.AddOptions<ShopOptions>().BindConfiguration("Shop").ValidateDataAnnotations()
            .Validate(o => o.Limit <= limitMax, $"Limit is above {limitMax}.").ValidateOnStart();
    }

    private static (string Key, string? Text) Shop(int limit) => ("appsettings.json", $$"""{ "Shop": { "Limit": {{limit}} } }""");
}
