using Ripple.Client.Tests.Hosting;

namespace Ripple.Client.Tests;

/// <summary>How a client starts: from a host, from its snapshot, in the background.</summary>
public sealed class StartTests : ClientScenario
{
    [Fact]
    public async Task A_restart_is_the_same_node_and_starts_from_its_snapshot_without_a_host()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        Engine.Regions.NodeId node;
        await using (RippleClient client = await ConnectAsync(host))
        {
            node = client.NodeId;
            await client.PublishAsync(Publish("a", "1"), Token);
            WaitResult result = await client.WaitAsync(
                "shop", 1, "MIN($ALL.persisted)", TimeSpan.FromMinutes(2), cancellationToken: Token);
            Assert.Equal(WaitOutcome.Held, result.Outcome);
        }

        await host.StopAsync();
        await using (RippleClient offline = await ConnectAsync(host))
        {
            Assert.Equal(node, offline.NodeId);
            Assert.Equal("1", ValueOf(offline, "a"));
            Assert.NotEqual(ConnectionState.Connected, offline.ConnectionState);
            Assert.NotNull(offline.LastError);
            Assert.Contains(Log.Lines, l => l.Contains("without a host", StringComparison.Ordinal));

            await host.StartAsync();
            PublishResult published = await offline.PublishAsync(Publish("a", "2"), Token);
            await SeeAsync(offline, published.Release);
            Assert.Equal(node, offline.NodeId);
        }
    }

    [Fact]
    public async Task Without_a_host_and_a_snapshot_there_is_no_start()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await host.StopAsync();
        RippleConnectionException e = await Assert.ThrowsAsync<RippleConnectionException>(
            () => ConnectAsync(host, new RippleClientOptions { ConnectTimeout = TimeSpan.FromMilliseconds(400) }));
        Assert.Contains("127.0.0.1", e.Message, StringComparison.Ordinal);
        Assert.Contains("no verified snapshot", e.Message, StringComparison.Ordinal);
        Assert.Contains("ConnectTimeout", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_snapshot_is_not_enough_where_a_host_is_required()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using (RippleClient client = await ConnectAsync(host))
        {
            await client.PublishAsync(Publish("a", "1"), Token);
            await client.WaitAsync("shop", 1, "MIN($ALL.persisted)", TimeSpan.FromMinutes(2), cancellationToken: Token);
        }

        await host.StopAsync();
        RippleConnectionException e = await Assert.ThrowsAsync<RippleConnectionException>(
            () => ConnectAsync(
                host, new RippleClientOptions { ConnectTimeout = TimeSpan.FromMilliseconds(400), StartupMode = StartupMode.FailFast }));
        Assert.Contains("FailFast", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_in_the_background_starts_at_once_and_connects_when_a_host_is_there()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await host.StopAsync();
        // Whoever waits for this fails by the limit of the test.
        await using RippleClient client = await ConnectAsync(
            host, new RippleClientOptions { StartupMode = StartupMode.Background, ConnectTimeout = TimeSpan.FromHours(1) });
        Assert.NotEqual(ConnectionState.Connected, client.ConnectionState);
        Assert.Equal(0ul, client.Current().Release);
        Assert.Null(client.ConfirmedAt);

        await host.StartAsync();
        await client.PublishAsync(Publish("a", "1"), Token);
        await SeeAsync(client, 1);
        Assert.Equal(ConnectionState.Connected, client.ConnectionState);
    }

    [Fact]
    public async Task A_client_knows_when_a_host_confirmed_what_it_has_and_keeps_it_over_a_restart()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        DateTimeOffset? confirmedAt;
        await using (RippleClient client = await ConnectAsync(host))
        {
            await client.PublishAsync(Publish("a", "1"), Token);
            await client.WaitAsync("shop", 1, "MIN($ALL.persisted)", TimeSpan.FromMinutes(2), cancellationToken: Token);
            DateTimeOffset? joinedAt = client.ConfirmedAt;
            Assert.NotNull(joinedAt);
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
            limit.CancelAfter(Patience);
            while (client.ConfirmedAt == joinedAt)
            {
                // By the next heartbeat.
                await Task.Delay(10, limit.Token);
            }

            confirmedAt = client.ConfirmedAt;
        }

        await host.StopAsync();
        await using RippleClient restarted = await ConnectAsync(
            host, new RippleClientOptions { ConnectTimeout = TimeSpan.FromMilliseconds(400) });
        Assert.Equal(1ul, restarted.Current().Release);
        Assert.NotNull(restarted.ConfirmedAt);
        // Kept in whole seconds, at the end or later than what was seen.
        Assert.True(restarted.ConfirmedAt > confirmedAt - TimeSpan.FromSeconds(1), $"{restarted.ConfirmedAt:O} {confirmedAt:O}");
    }

    [Fact]
    public async Task A_restored_client_catches_up_with_what_it_missed()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await using (RippleClient client = await ConnectAsync(host, name: "n2"))
        {
            await publisher.PublishAsync(Publish("a", "1"), Token);
            await publisher.WaitAsync("shop", 1, "MIN($ALL.persisted)", TimeSpan.FromMinutes(2), cancellationToken: Token);
        }

        for (int i = 2; i <= 80; i++)
        {
            await publisher.PublishAsync(Publish($"k{i % 7}", $"v{i}"), Token);
        }

        await using RippleClient again = await ConnectAsync(host, name: "n2");
        // Connecting returns once what the hosts had by then is in effect.
        Assert.Equal(80ul, again.Current().Release);
        Assert.Equal("1", ValueOf(again, "a"));
        Assert.Equal("v80", ValueOf(again, "k3"));
    }

    [Fact]
    public async Task Two_clients_on_one_disk_are_two_nodes()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient first = await ConnectAsync(host);
        await using RippleClient second = await ConnectAsync(host);
        Assert.NotEqual(first.SnapshotPath, second.SnapshotPath);
        Assert.NotEqual(first.NodeId, second.NodeId);
    }

    [Fact]
    public async Task Many_clients_share_one_runtime()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using var runtime = RippleRuntime.Create();
        RippleClient[] clients = await Task.WhenAll(
            Enumerable.Range(0, 20).Select(
                i => ConnectAsync(host, new RippleClientOptions { Runtime = runtime, Name = $"n{i}", SnapshotMode = SnapshotMode.Off })));
        try
        {
            await clients[0].PublishAsync(Publish("a", "1"), Token);
            WaitResult result = await clients[0].WaitAsync(
                "shop", 1, "MIN($ALL.applied)", TimeSpan.FromMinutes(2), cancellationToken: Token);
            Assert.Equal(WaitOutcome.Held, result.Outcome);
            Assert.Equal(20, result.Total);
            Assert.All(clients, c => Assert.Equal("1", ValueOf(c, "a")));
            Assert.All(clients, c => Assert.Null(c.SnapshotPath));
        }
        finally
        {
            foreach (RippleClient client in clients)
            {
                await client.DisposeAsync();
            }
        }
    }
}
