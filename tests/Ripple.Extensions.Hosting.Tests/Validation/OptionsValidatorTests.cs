using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests.Validation;

/// <summary>What a container's validation takes from the container.</summary>
public sealed class OptionsValidatorTests
{
    [Fact]
    public async Task Validators_are_made_once_and_not_for_every_release()
    {
        int made = 0;
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Limit", "1"));
        await using TestService service = await TestService.StartNewAsync(
            cluster, build: builder => builder.Services.AddTransient<IValidateOptions<ShopOptions>>(_ =>
            {
                Interlocked.Increment(ref made);
                return new Transient();
            }));
        _ = service.Shop;
        int before = Volatile.Read(ref made);

        await cluster.PublishEverywhereAsync(("Shop/Limit", "2"));
        await cluster.PublishEverywhereAsync(("Shop/Limit", "3"));

        Assert.Equal(before, Volatile.Read(ref made));
        Assert.Equal(3, service.Shop.Limit);
    }

    [Fact]
    public async Task A_connection_that_cannot_be_made_does_not_keep_others_from_being_validated()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop/Limit", "1"));
        IConfigurationRoot root = new ConfigurationBuilder().AddRipple("good", o =>
        {
            o.ConnectionString = cluster.Connection;
            o.SnapshotPath = cluster.SnapshotPath("good");
        }).Build();
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(root);
        services.AddKeyedRipple("bad", _ => throw new InvalidOperationException("The user's fault."));
        services.AddKeyedRipple("good");
        services.AddOptions<ShopOptions>().BindConfiguration("Shop").Validate(o => o.Limit < 10, "Too many.");
        await using ServiceProvider provider = services.BuildServiceProvider();
        for (int i = 0; i < 2; i++)
        {
            Assert.Contains(
                "The user's fault.",
                Assert.Throws<InvalidOperationException>(() => provider.GetRequiredService<IOptionsMonitor<ShopOptions>>()).Message,
                StringComparison.Ordinal);
        }

        WaitResult result = await cluster.WaitAsync(await cluster.PublishAsync(("Shop/Limit", "50")));

        Assert.Contains("Too many.", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        ((IDisposable)root).Dispose();
    }

    private sealed class Transient : IValidateOptions<ShopOptions>, IDisposable
    {
        public ValidateOptionsResult Validate(string? name, ShopOptions options) => ValidateOptionsResult.Success;

        public void Dispose()
        {
            // That it can be is enough for the container to keep it.
        }
    }
}
