using System.Collections.Concurrent;
using Ripple.Client.Tests.Hosting;

namespace Ripple.Client.Tests;

/// <summary>A host that restarts or is not there.</summary>
public sealed class HostAwayTests : ClientScenario
{
    [Fact]
    public async Task A_publish_survives_a_restart_of_the_host_and_is_released_once()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        var states = new ConcurrentQueue<ConnectionState>();
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        client.ConnectionStateChanged += (_, change) =>
        {
            states.Enqueue(change.State);
            if (change.State == ConnectionState.Connected && states.Contains(ConnectionState.Disconnected))
            {
                back.TrySetResult();
            }
        };
        var gate = new TaskCompletionSource();
        host.PrepareGate = gate.Task;
        Task<PublishResult> publishing = client.PublishAsync(Publish("a", "1"), Token);
        await host.StopAsync();
        Assert.False(publishing.IsCompleted);
        gate.SetResult();
        host.PrepareGate = Task.CompletedTask;
        await host.StartAsync();

        Assert.Equal(1ul, (await publishing).Release);
        await back.Task.WaitAsync(TimeSpan.FromMinutes(2), Token);
        await SeeAsync(client, 1);
        Assert.Equal("1", ValueOf(client, "a"));
    }

    [Fact]
    public async Task A_wait_that_is_asked_again_after_a_restart_of_the_host_is_for_the_members_it_was_for_before()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        var gate = new TaskCompletionSource();
        await using RippleClient slow = await ConnectAsync(host, Gated(gate));
        await using RippleClient client = await ConnectAsync(host);
        await client.PublishAsync(Publish("a", "1"), Token);
        await SeeAsync(client, 1);
        Task<WaitResult> waiting = client.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), cancellationToken: Token);
        await client.StatusAsync("shop", Token);
        await host.StopAsync();
        await host.StartAsync();
        // The one that has it is back, whether or not the other is.
        await client.StatusAsync("shop", Token);
        WaitResult now = await client.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.Zero, cancellationToken: Token);
        Assert.Equal((WaitOutcome.TimedOut, 2), (now.Outcome, now.Total));
        Assert.False(waiting.IsCompleted);
        gate.SetResult();
        WaitResult held = await waiting;
        Assert.Equal((WaitOutcome.Held, 2), (held.Outcome, held.Total));
    }

    [Fact]
    public async Task A_publish_without_a_host_ends_at_its_timeout_and_says_that_nothing_is_known()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(
            host, new RippleClientOptions { PublishTimeout = TimeSpan.FromMilliseconds(300) });
        await host.StopAsync();
        PublishRequest request = Publish("a", "1");
        RippleTimeoutException e = await Assert.ThrowsAsync<RippleTimeoutException>(() => client.PublishAsync(request, Token));
        Assert.Contains(request.PublishId.ToString(), e.Message, StringComparison.Ordinal);
        Assert.Contains("same publish id", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_that_knows_a_dead_host_alone_joins_by_those_that_an_earlier_process_was_told_of()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await host.TellHostsAsync($"127.0.0.1:{TestPorts.Tcp()}", $"127.0.0.1:{host.Port}");
        await using (RippleClient client = await ConnectAsync(host))
        {
            await client.PublishAsync(Publish("a", "1"), Token);
        }

        string dead = host.ConnectionStringFor("shop").Replace(
            $"127.0.0.1:{host.Port}", $"127.0.0.1:{TestPorts.Tcp()}", StringComparison.Ordinal);
        await using RippleClient again = await RippleClient.ConnectAsync(
            dead,
            Patient(new()) with { SnapshotDirectory = Folder.Path, StartupMode = StartupMode.FailFast, LoggerFactory = Log },
            Token);
        Assert.Equal(ConnectionState.Connected, again.ConnectionState);
        Assert.Equal("1", ValueOf(again, "a"));
    }

    [Fact]
    public async Task A_wait_without_a_host_times_out_and_says_why()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        await host.StopAsync();
        WaitResult result = await client.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.Zero, cancellationToken: Token);
        Assert.Equal(WaitOutcome.TimedOut, result.Outcome);
        Assert.Contains("No host", result.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clients_of_a_runtime_that_is_gone_say_so()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        var runtime = RippleRuntime.Create();
        await using RippleClient client = await ConnectAsync(host, new RippleClientOptions { Runtime = runtime });
        await runtime.DisposeAsync();
        Assert.Equal(ConnectionState.Disconnected, client.ConnectionState);
        Assert.Contains("runtime", client.LastError, StringComparison.Ordinal);
        RippleException e = await Assert.ThrowsAnyAsync<RippleException>(
            () => ConnectAsync(host, new RippleClientOptions { Runtime = runtime }));
        Assert.Contains("disposed", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_disposed_client_ends_its_watches_and_calls()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        var gate = new TaskCompletionSource();
        RippleClient client = await ConnectAsync(host, Gated(gate));
        await client.PublishAsync(Publish("a", "1"), Token);
        Task<WaitResult> waiting = client.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), cancellationToken: Token);
        Task watching = Task.Run(
            async () =>
            {
                await foreach (RippleRelease release in client.WatchAsync(cancellationToken: Token))
                {
                    Assert.Fail($"{release} was never accepted.");
                }
            },
            Token);
        await client.DisposeAsync();
        await watching.WaitAsync(TimeSpan.FromMinutes(2), Token);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.PublishAsync(Publish("a", "1"), Token));
        await client.DisposeAsync();
    }
}
