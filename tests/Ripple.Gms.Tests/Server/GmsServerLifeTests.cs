using System.Net;
using Ripple.Engine.Core;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Endpoint;

namespace Ripple.Gms.Tests.Server;

public sealed class GmsServerLifeTests : IDisposable
{
    private readonly TempDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Health_tells_one_word_and_the_room_of_the_store_and_nothing_else()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        using var http = new HttpClient { BaseAddress = new Uri($"http://{host.Server.HealthAddress}") };
        Assert.Equal("ok\n", await http.GetStringAsync("/health/live", HostHarness.Cancel));
        Assert.StartsWith("ok\nstore ", await http.GetStringAsync("/health/ready", HostHarness.Cancel), StringComparison.Ordinal);
        foreach (string path in (string[])["/", "/health", "/health/ready/more", "/metrics"])
        {
            using HttpResponseMessage response = await http.GetAsync(new Uri(path, UriKind.Relative), HostHarness.Cancel);
            Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
            Assert.Equal("", await response.Content.ReadAsStringAsync(HostHarness.Cancel));
        }
    }

    [Fact]
    public async Task Health_can_be_off()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path, o => o with { HealthAddress = null });
        Assert.Null(host.Server.HealthAddress);
    }

    [Fact]
    public async Task Stop_tells_the_nodes_and_is_done_within_its_limit()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        ConnectOutcome outcome = await host.ConnectAsync(host.Client);
        Assert.NotNull(outcome.Handler);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(HostHarness.Cancel);
        limit.CancelAfter(ControlHarness.Patience);
        await host.Server.DisposeAsync().AsTask().WaitAsync(limit.Token);
        Assert.Contains("stop", await outcome.Handler.Closed.Task.WaitAsync(limit.Token), StringComparison.Ordinal);
        Assert.DoesNotContain(host.Logs.Lines, l => l.Id == LogEvents.StopTimedOut);
        await host.Server.Completion.WaitAsync(limit.Token);
        await host.Server.DisposeAsync();
        await (await HostHarness.StartAsync(_directory.Path)).DisposeAsync();
    }

    [Fact]
    public async Task Core_that_fails_ends_the_host_and_says_so()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        using var http = new HttpClient { BaseAddress = new Uri($"http://{host.Server.HealthAddress}") };
        Assert.True(
            host.Server.Runner.Loop.Requests.TryPost(new ActionRequest(() => throw new InvalidOperationException("broken on purpose"))));
        var e = await Assert.ThrowsAsync<GmsServerException>(
            () => host.Server.Completion.WaitAsync(TimeSpan.FromMinutes(2), HostHarness.Cancel));
        Assert.Equal("broken on purpose", e.InnerException!.Message);
        foreach (string path in (string[])["/health/live", "/health/ready"])
        {
            using HttpResponseMessage response = await http.GetAsync(new Uri(path, UriKind.Relative), HostHarness.Cancel);
            Assert.Equal(HttpStatusCode.ServiceUnavailable, response.StatusCode);
        }

        Assert.Contains(host.Logs.Lines, l => l.Id == LogEvents.CoreFailed);
        await host.Server.DisposeAsync();
        Assert.DoesNotContain(host.Logs.Lines, l => l.Id == LogEvents.StopTimedOut);
        await (await HostHarness.StartAsync(_directory.Path)).DisposeAsync();
    }

    [Fact]
    public async Task Store_that_cannot_be_read_in_a_part_is_told_of_and_ends_nothing()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        await host.BesideAsync(_ => Task.FromResult(0));
        StoreSql.Run(host.Server.Directory.Store, "ALTER TABLE tokens RENAME TO lost");
        // The next look at the tokens finds no table.
        await host.ConnectAsync(host.Client);
        StoreSql.Run(host.Server.Directory.Store, "UPDATE settings SET value = value + 1 WHERE name = 'tokens_version'");
        await ControlHarness.UntilAsync(
            () => host.Logs.Lines.Any(
                l => l.Id == LogEvents.StoreDamaged && l.Text.Contains(host.Server.Directory.Store, StringComparison.Ordinal)),
            "the host says what it cannot read");
        Assert.False(host.Server.Completion.IsCompleted);
    }
}
