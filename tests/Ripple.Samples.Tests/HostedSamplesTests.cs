using System.Text.RegularExpressions;
using Ripple.Client;

namespace Ripple.Samples.Tests;

/// <summary>The samples that use the hosting package do what their page says.</summary>
public sealed class HostedSamplesTests : IDisposable
{
    private readonly CancellationTokenSource _limit =
        CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
    private readonly HttpClient _http = new();

    public HostedSamplesTests() => _limit.CancelAfter(TimeSpan.FromMinutes(10));

    private CancellationToken Token => _limit.Token;

    public void Dispose()
    {
        _limit.Dispose();
        _http.Dispose();
    }

    [Fact]
    public async Task Worker_says_each_greeting_that_is_published()
    {
        await using SampleCluster cluster = await SampleCluster.StartNewAsync(Token);
        await cluster.PublishAsync("Greeting.json", """{ "Text": "Hello", "To": "ring" }""", Token);
        using SampleProgram worker = SampleProgram.Start("Worker", cluster.Environment);
        await worker.SaysAsync("Hello, ring!", Token);

        await cluster.PublishAsync("Greeting.json", """{ "Text": "Good morning", "To": "ring" }""", Token);

        await worker.SaysAsync("Good morning, ring!", Token);
    }

    [Fact]
    public async Task Web_never_serves_what_does_not_pass_its_validation()
    {
        await using SampleCluster cluster = await SampleCluster.StartNewAsync(Token);
        await cluster.PublishAsync("Price.json", """{ "Amount": 10 }""", Token);
        using SampleProgram web = SampleProgram.Start("Web", cluster.Environment, "--urls", "http://127.0.0.1:0");
        string address = await AddressOfAsync(web);
        Assert.Equal("10 EUR", await _http.GetStringAsync(address, Token));

        WaitResult result = await cluster.PublishAsync("Price.json", """{ "Amount": 0 }""", Token);

        Assert.Equal(WaitOutcome.CannotHold, result.Outcome);
        Assert.Contains("The field Amount must be between 1 and 1000.", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
        Assert.Equal("10 EUR", await _http.GetStringAsync(address, Token));
        Assert.Equal(WaitOutcome.Held, (await cluster.PublishAsync("Price.json", """{ "Amount": 12 }""", Token)).Outcome);
        Assert.Equal("12 EUR", await _http.GetStringAsync(address, Token));
    }

    [Fact]
    public async Task Web_serves_from_its_snapshot_without_a_host_and_is_healthy_again_when_it_comes_back()
    {
        await using SampleCluster cluster = await SampleCluster.StartNewAsync(Token);
        await cluster.PublishAsync("Price.json", """{ "Amount": 10 }""", Token);
        using (SampleProgram first = SampleProgram.Start("Web", cluster.Environment, "--urls", "http://127.0.0.1:0"))
        {
            Assert.StartsWith(
                "Healthy", await _http.GetStringAsync(await AddressOfAsync(first) + "/health", Token), StringComparison.Ordinal);
            string state = cluster.Environment["RIPPLE_STATE_DIRECTORY"];
            while (!Directory.EnumerateFiles(state, "*.snapshot", SearchOption.AllDirectories).Any())
            {
                await Task.Delay(50, Token);
            }
        }

        await cluster.StopAsync();
        using SampleProgram web = SampleProgram.Start("Web", cluster.Environment, "--urls", "http://127.0.0.1:0");
        string address = await AddressOfAsync(web);
        Assert.Equal("10 EUR", await _http.GetStringAsync(address, Token));
        string health = await _http.GetStringAsync(address + "/health", Token);
        Assert.StartsWith("Degraded", health, StringComparison.Ordinal);
        Assert.Matches(@"stale_seconds=\d+", health);

        await cluster.StartAsync(Token);
        while (!(await _http.GetStringAsync(address + "/health", Token)).StartsWith("Healthy", StringComparison.Ordinal))
        {
            await Task.Delay(50, Token);
        }

        Assert.Equal(WaitOutcome.Held, (await cluster.PublishAsync("Price.json", """{ "Amount": 11 }""", Token)).Outcome);
        Assert.Equal("11 EUR", await _http.GetStringAsync(address, Token));
    }

    private async Task<string> AddressOfAsync(SampleProgram web)
    {
        await web.SaysAsync("Now listening on: ", Token);
        await web.SaysAsync("Application started.", Token);
        return Regex.Match(web.Output, @"Now listening on: (\S+)").Groups[1].Value;
    }
}
