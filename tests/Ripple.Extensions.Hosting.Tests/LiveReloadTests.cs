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
}
