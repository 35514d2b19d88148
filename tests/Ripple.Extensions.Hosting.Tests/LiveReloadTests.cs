using Microsoft.Extensions.Configuration.Memory;
using Microsoft.Extensions.Primitives;
using Ripple.Extensions.Hosting.Tests.Hosting;

namespace Ripple.Extensions.Hosting.Tests;

/// <summary>One line, and options follow the releases.</summary>
public sealed class LiveReloadTests
{
    [Fact]
    public async Task Options_follow_the_releases()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("appsettings.json", """{ "Shop": { "Title": "first", "Limit": 5 } }"""));
        await using TestService service = await TestService.StartNewAsync(cluster);
        Assert.Equal("first", service.Shop.Title);
        int told = 0;
        using IDisposable? listening = Microsoft.Extensions.Options.OptionsMonitorExtensions.OnChange(service.Monitor, _ => told++);

        await cluster.PublishEverywhereAsync(("Shop/Title", "second"), ("appsettings.json", """{ "Shop": { "Limit": 6 } }"""));

        // Acknowledged means reloaded: nothing is waited for.
        Assert.Equal("second", service.Shop.Title);
        Assert.Equal(6, service.Shop.Limit);
        Assert.Equal(1, told);
        Assert.Equal("second", service.Configuration["Shop:Title"]);
    }

    [Fact]
    public async Task A_removed_key_takes_its_section_along_and_what_is_below_shows_again()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop.json", """{ "Title": "released", "Limit": 9 }"""), ("Else", "1"));
        await using TestService service = await TestService.StartNewAsync(cluster, build: builder =>
            builder.Configuration.Sources.Insert(0, new MemoryConfigurationSource { InitialData = [new("Shop:Title", "below")] }));
        Assert.Equal(("released", 9), (service.Shop.Title, service.Shop.Limit));

        await cluster.PublishEverywhereAsync(("Shop.json", null));

        Assert.Equal(("below", 1), (service.Shop.Title, service.Shop.Limit));
        Assert.Equal(["Title"], service.Configuration.GetSection("Shop").GetChildren().Select(c => c.Key));
        Assert.Equal("1", service.Configuration["Else"]);
    }

    [Fact]
    public async Task A_document_that_is_not_read_is_told_once()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("Shop.yaml", "Max: 1"), ("Shop.json", "{}"));
        await using TestService service = await TestService.StartNewAsync(cluster);
        await cluster.PublishEverywhereAsync(("Shop.yaml", "Max: 2"), ("pom.XML", "<a/>"));
        await cluster.PublishEverywhereAsync(("a", "1"));

        string[] told = [.. service.Log.Text.Split('\n').Where(l => l.Contains("JSON alone is read", StringComparison.Ordinal))];
        Assert.Equal(2, told.Length);
        Assert.Contains("the key 'Shop.yaml'", told[0], StringComparison.Ordinal);
        Assert.Contains("the key 'pom.XML'", told[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_release_of_other_keys_reloads_nothing()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("shop/Title", "x"));
        await using TestService service = await TestService.StartNewAsync(cluster, configure: options => options.Keys.Add("shop/*"));
        int reloads = 0;
        using IDisposable listening = ChangeToken.OnChange(service.Configuration.GetReloadToken, () => reloads++);

        await cluster.PublishEverywhereAsync(("other", "y"));
        Assert.Equal(0, reloads);
        Assert.Equal(2ul, service.Client.Current().Release);

        await cluster.PublishEverywhereAsync(("shop/Title", "z"));
        Assert.True(reloads > 0);
    }

    [Fact]
    public async Task Only_the_keys_named_become_configuration_below_the_prefix_and_the_client_reads_all()
    {
        await using TestCluster cluster = await TestCluster.StartNewAsync();
        await cluster.PublishAsync(("shop/Title", "x"), ("other", "y"));
        await using TestService service = await TestService.StartNewAsync(cluster, configure: options =>
        {
            options.Keys.Add("shop/*");
            options.Prefix = "Remote";
        });

        Assert.Equal("x", service.Configuration["Remote:shop:Title"]);
        Assert.Null(service.Configuration["Remote:other"]);
        Assert.True(service.Client.TryGet("other", out _));
    }
}
