using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>Options that ask for other options: all are of one release, and none of a release that is not in effect stays.</summary>
public sealed class SeveralOptionsTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_validator_sees_other_options_of_the_same_release()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Halves(1, 1));
        await using TestService service = await StartAsync(
            cluster,
            shop => shop.Validate<IOptionsMonitor<StockOptions>>((o, stock) => o.Half == stock.CurrentValue.Half, "The halves differ."));
        Assert.Equal(1, Stock(service).Half);

        await cluster.PublishEverywhereAsync(Halves(2, 2));
        Assert.Equal((2, 2), (service.Shop.Half, Stock(service).Half));

        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(Halves(2, 3)));
        Assert.Contains("The halves differ.", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        Assert.Equal((2, 2), (service.Shop.Half, Stock(service).Half));
    }

    [Fact]
    public async Task Other_options_of_a_rejected_release_are_kept_by_nobody()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Halves(1, 1));
        await using TestService service = await StartAsync(
            cluster,
            shop => shop.Validate<IOptionsMonitor<StockOptions>>((_, stock) => stock.CurrentValue.Half < 10, "The stock is too big."));
        service.Get<IOptionsMonitorCache<StockOptions>>().Clear();

        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(Halves(1, 50)));

        Assert.Contains("The stock is too big.", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        Assert.Equal(1, Stock(service).Half);
    }

    [Fact]
    public async Task Options_made_once_are_not_of_a_rejected_release()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Halves(1, 1));
        await using TestService service = await StartAsync(
            cluster,
            shop => shop.Validate<IOptions<StockOptions>>((o, stock) => o.Half == 1 || stock.Value.Half < 10, "The stock is too big."));

        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(Halves(2, 50)));

        Assert.Contains("The stock is too big.", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        Assert.Equal(1, service.Get<IOptions<StockOptions>>().Value.Half);
        await cluster.PublishEverywhereAsync(Halves(3, 3));
        Assert.Equal(1, service.Get<IOptions<StockOptions>>().Value.Half);
    }

    [Fact]
    public async Task Other_options_read_while_a_release_is_replaced_are_kept_by_nobody()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Halves(1, 1));
        using var entered = new ManualResetEventSlim();
        using var swapped = new ManualResetEventSlim();
        using var slow = new ThreadLocal<bool>();
        await using TestService service = await StartAsync(
            cluster, shop => shop.Configure<IOptionsMonitor<StockOptions>, IOptionsMonitorCache<StockOptions>>((o, stock, cache) =>
            {
                if (slow.Value)
                {
                    entered.Set();
                    swapped.Wait(TimeSpan.FromMinutes(2), Token);
                    cache.Clear();
                }

                o.Other = stock.CurrentValue.Half;
            }));
        service.Get<IOptionsMonitorCache<ShopOptions>>().Clear();
        Task<ShopOptions> reading = Task.Run(
            () =>
            {
                slow.Value = true;
                ShopOptions read = service.Shop;
                slow.Value = false;
                return read;
            },
            Token);
        Assert.True(entered.Wait(TimeSpan.FromMinutes(2), Token));
        await cluster.PublishEverywhereAsync(Halves(2, 2));
        swapped.Set();

        ShopOptions old = await reading;

        Assert.Equal((1, 1), (old.Half, old.Other));
        Assert.Equal(2, Stock(service).Half);
        Assert.Equal((2, 2), (service.Shop.Half, service.Shop.Other));
    }

    [Fact]
    public async Task Options_that_need_themselves_are_refused()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(Halves(1, 1));
        bool isArmed = false;
        await using TestService service = await StartAsync(cluster, shop => shop.Configure<IServiceProvider>((o, services) =>
        {
            if (Volatile.Read(ref isArmed))
            {
                o.Other = services.GetRequiredService<IOptionsMonitor<ShopOptions>>().CurrentValue.Half;
            }
        }));
        Volatile.Write(ref isArmed, true);

        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(Halves(2, 2)));

        Assert.Contains(
            "ShopOptions: InvalidOperationException: ShopOptions", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        Volatile.Write(ref isArmed, false);
        Assert.Equal(1, service.Shop.Half);
    }

    private static StockOptions Stock(TestService service) => service.Get<IOptionsMonitor<StockOptions>>().CurrentValue;

    private static Task<TestService> StartAsync(TestCluster cluster, Action<OptionsBuilder<ShopOptions>> shop) =>
        TestService.StartNewAsync(cluster, build: builder =>
        {
            builder.Services.AddOptions<StockOptions>().BindConfiguration("Stock");
            shop(builder.Services.AddOptions<ShopOptions>());
        });

    private static (string Key, string? Text) Halves(int shop, int stock) =>
        ("appsettings.json", $$"""{ "Shop": { "Half": {{shop}} }, "Stock": { "Half": {{stock}} } }""");
}
