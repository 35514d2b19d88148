using System.Collections.Concurrent;
using System.Text;
using Ripple.Client.Tests.Hosting;
using Ripple.Engine.Control;

namespace Ripple.Client.Tests;

/// <summary>The client against a real host on loopback.</summary>
public sealed class ClientTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly TestLogger _log = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _folder.Dispose();
        _log.Dispose();
    }

    [Fact]
    public async Task Client_connects_publishes_and_sees_what_it_published()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        Assert.Equal(ConnectionState.Connected, client.ConnectionState);
        Assert.Null(client.LastError);
        Assert.False(client.NodeId.IsNone);
        Assert.Equal(0ul, client.Current().Release);

        PublishResult published = await client.PublishAsync(Publish("a", "1"), Token);
        RippleRelease seen = await SeeAsync(client, published.Release);

        Assert.Equal(1ul, published.Release);
        Assert.Equal(published.Id, seen.Id);
        Assert.Equal("note", seen.Note);
        Assert.NotEqual("", seen.Actor);
        Assert.InRange(seen.Time, DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(1));
        Assert.Equal(["a"], seen.ChangedKeys);
        Assert.Equal("1", ValueOf(client, "a"));
        Assert.False(client.TryGet("b", out _));
    }

    [Fact]
    public async Task Every_client_gets_every_release_in_order_and_a_wait_says_when()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await using RippleClient reader = await ConnectAsync(host, name: "n2");
        var seen = new List<ulong>();
        Task watching = Task.Run(
            async () =>
            {
                await foreach (RippleRelease release in reader.WatchAsync(cancellationToken: Token))
                {
                    seen.Add(release.Release);
                    if (release.Release == 20)
                    {
                        return;
                    }
                }
            },
            Token);
        for (int i = 1; i <= 20; i++)
        {
            await publisher.PublishAsync(Publish("a", i.ToString(System.Globalization.CultureInfo.InvariantCulture)), Token);
        }

        var progress = new ConcurrentQueue<WaitProgress>();
        WaitResult result = await publisher.WaitAsync("shop", 20, "MIN($ALL.applied)", TimeSpan.FromSeconds(20), new Progress(progress.Enqueue), Token);
        await watching;

        Assert.Equal(WaitOutcome.Held, result.Outcome);
        Assert.Equal(2, result.Total);
        Assert.Empty(result.Members);
        Assert.Equal("20", ValueOf(reader, "a"));
        Assert.Equal(Enumerable.Range(1, 20).Select(r => (ulong)r).Where(r => r >= seen[0]), seen);
    }

    [Fact]
    public async Task A_release_is_verified_once_for_all_clients_of_a_process()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient first = await ConnectAsync(host, name: "n1");
        await using RippleClient second = await ConnectAsync(host, name: "n2");
        await using RippleClient third = await ConnectAsync(host, name: "n3");
        long before = first.Verifications;
        PublishResult published = await first.PublishAsync(Publish("a", "1"), Token);
        await SeeAsync(first, published.Release);
        await SeeAsync(second, published.Release);
        await SeeAsync(third, published.Release);
        Assert.Equal(before + 1, first.Verifications);
    }

    [Fact]
    public async Task A_rejected_release_does_not_take_effect_and_the_wait_names_who_rejected_it()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await using RippleClient picky = await ConnectAsync(host, new RippleClientOptions
        {
            Name = "picky",
            AcceptRelease = (release, _) => Encoding.UTF8.GetString(release.Values["a"].Span) switch
            {
                "bad" => ValueTask.FromResult(ReleaseDecision.Reject("'bad' is not a number")),
                "worse" => throw new InvalidOperationException("cannot even look at it"),
                _ => ValueTask.FromResult(ReleaseDecision.Accept),
            },
        });
        await publisher.PublishAsync(Publish("a", "1"), Token);
        await SeeAsync(picky, 1);

        await publisher.PublishAsync(Publish("a", "bad"), Token);
        WaitResult result = await publisher.WaitAsync("shop", 2, "MIN($ALL.applied)", TimeSpan.FromSeconds(20), cancellationToken: Token);
        Assert.Equal(WaitOutcome.CannotHold, result.Outcome);
        WaitMember member = Assert.Single(result.Members);
        Assert.Equal("picky", member.Name);
        Assert.Equal(picky.NodeId, member.Node);
        Assert.Contains("'bad' is not a number", member.Reason, StringComparison.Ordinal);
        Assert.Equal("1", ValueOf(picky, "a"));

        await publisher.PublishAsync(Publish("a", "worse"), Token);
        result = await publisher.WaitAsync("shop", 3, "MIN($ALL.applied)", TimeSpan.FromSeconds(20), cancellationToken: Token);
        Assert.Contains("cannot even look at it", Assert.Single(result.Members).Reason, StringComparison.Ordinal);

        await publisher.PublishAsync(Publish("b", "2", ("a", "4")), Token);
        RippleRelease seen = await SeeAsync(picky, 4);
        Assert.Equal(["a", "b"], seen.ChangedKeys);
        ApplicationStatus status = await publisher.StatusAsync("shop", Token);
        Assert.Equal(4ul, status.Release);
        Assert.Equal(["n1", "picky"], status.Members.Select(m => m.Name).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_callback_that_does_not_answer_rejects()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await using RippleClient slow = await ConnectAsync(host, new RippleClientOptions
        {
            Name = "slow",
            AcceptTimeout = TimeSpan.FromMilliseconds(50),
            AcceptRelease = async (_, stop) =>
            {
                await Task.Delay(Timeout.Infinite, stop);
                return ReleaseDecision.Accept;
            },
        });
        await publisher.PublishAsync(Publish("a", "1"), Token);
        WaitResult result = await publisher.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.FromSeconds(20), cancellationToken: Token);
        Assert.Equal(WaitOutcome.CannotHold, result.Outcome);
        Assert.Contains("did not answer", Assert.Single(result.Members).Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refused_publishes_say_why()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        PublishResult first = await client.PublishAsync(Publish("a", "1"), Token);

        RipplePublishException e = await Refused(Publish("a", "2") with { ExpectedRelease = 0 });
        Assert.Equal(ErrorCode.WrongExpectedRelease, e.Code);
        Assert.Equal(1ul, e.NewestRelease);

        Assert.Equal(ErrorCode.PublishIdReused, (await Refused(Publish("a", "2") with { PublishId = first.PublishId })).Code);
        Assert.Equal(ErrorCode.InvalidJson, (await Refused(Publish("a.json", "{ nonsense"))).Code);
        Assert.Equal(ErrorCode.UnknownApplication, (await Refused(Publish("a", "2") with { Application = "nowhere" })).Code);
        Assert.Equal(ErrorCode.InvalidRequest, (await Refused(new PublishRequest())).Code);
        Assert.Equal(ErrorCode.InvalidRequest, (await Refused(Publish("a", "2") with { Remove = ["a"] })).Code);
        Assert.Equal(ErrorCode.InvalidRequest, (await Refused(Publish("a\u0001", "2"))).Code);
        Assert.Equal(ErrorCode.TooLarge, (await Refused(Publish("a", new string('x', (16 << 20) + 1)))).Code);
        Assert.Equal(1ul, (await client.StatusAsync("shop", Token)).Release);

        async Task<RipplePublishException> Refused(PublishRequest request)
        {
            RipplePublishException refused = await Assert.ThrowsAsync<RipplePublishException>(() => client.PublishAsync(request, Token));
            Assert.Equal(request.PublishId, refused.PublishId);
            Assert.True(refused.Message.Length > 20, refused.Message);
            return refused;
        }
    }

    [Fact]
    public async Task The_same_publish_is_released_once()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        PublishRequest request = Publish("a", "1");
        PublishResult[] results = await Task.WhenAll(client.PublishAsync(request, Token), client.PublishAsync(request, Token), client.PublishAsync(request, Token));
        Assert.All(results, r => Assert.Equal(results[0], r));
        Assert.Equal(1ul, (await client.StatusAsync("shop", Token)).Release);
    }

    [Fact]
    public async Task Large_values_arrive_whole()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient publisher = await ConnectAsync(host, name: "n1");
        await using RippleClient reader = await ConnectAsync(host, name: "n2");
        byte[] large = new byte[5 << 20];
        new Random(1).NextBytes(large);
        byte[] small = [1, 2, 3];
        await publisher.PublishAsync(
            new() { Set = new Dictionary<string, ReadOnlyMemory<byte>> { ["large"] = large, ["empty"] = default, ["small"] = small } }, Token);
        RippleRelease seen = await SeeAsync(reader, 1);
        Assert.True(seen.Values["large"].Span.SequenceEqual(large));
        Assert.True(seen.Values["small"].Span.SequenceEqual(small));
        Assert.Equal(0, seen.Values["empty"].Length);
    }

    [Fact]
    public async Task The_past_can_be_listed_read_and_brought_back()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        for (int i = 1; i <= 5; i++)
        {
            await client.PublishAsync(Publish("a", $"v{i}"), Token);
        }

        var history = new List<HistoryEntry>();
        await foreach (HistoryEntry entry in client.HistoryAsync("shop", cancellationToken: Token))
        {
            history.Add(entry);
        }

        Assert.Equal([5ul, 4ul, 3ul, 2ul, 1ul], history.Select(h => h.Release));
        Assert.All(history, h => Assert.Equal(["a"], h.Keys));
        Assert.Equal("v2", Encoding.UTF8.GetString((await client.ReadAsync("shop", "a", 2, Token))!.Value.Span));
        Assert.Equal("v5", Encoding.UTF8.GetString((await client.ReadAsync("shop", "a", cancellationToken: Token))!.Value.Span));
        Assert.Null(await client.ReadAsync("shop", "b", cancellationToken: Token));
        Assert.Null(await client.ReadAsync("shop", "a", 77, Token));

        PublishResult back = await client.RollbackAsync("shop", 2, "v5 was bad", cancellationToken: Token);
        RippleRelease seen = await SeeAsync(client, back.Release);
        Assert.Equal(6ul, back.Release);
        Assert.Equal("v5 was bad", seen.Note);
        Assert.Equal("v2", ValueOf(client, "a"));
        RipplePublishException e = await Assert.ThrowsAsync<RipplePublishException>(() => client.RollbackAsync("shop", 99, cancellationToken: Token));
        Assert.Equal(ErrorCode.NotFound, e.Code);
    }

    [Fact]
    public async Task An_administrator_creates_applications_once()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        await client.CreateApplicationAsync("cart", Token);
        RippleException e = await Assert.ThrowsAsync<RippleException>(() => client.CreateApplicationAsync("cart", Token));
        Assert.Equal(ErrorCode.AlreadyExists, e.Code);
        await client.PublishAsync(Publish("a", "1") with { Application = "cart" }, Token);
        e = Assert.Throws<RippleException>(() => client.Current("cart"));
        Assert.Contains("Interest", e.Message, StringComparison.Ordinal);
    }

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
        await back.Task.WaitAsync(TimeSpan.FromSeconds(20), Token);
        await SeeAsync(client, 1);
        Assert.Equal("1", ValueOf(client, "a"));
    }

    [Fact]
    public async Task A_wait_survives_a_restart_of_the_host()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        var gate = new TaskCompletionSource();
        await using RippleClient client = await ConnectAsync(host, Gated(gate));
        await client.PublishAsync(Publish("a", "1"), Token);
        Task<WaitResult> waiting = client.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.FromSeconds(30), cancellationToken: Token);
        await client.StatusAsync("shop", Token);
        await host.StopAsync();
        await host.StartAsync();
        await client.StatusAsync("shop", Token);
        Assert.False(waiting.IsCompleted);
        gate.SetResult();
        Assert.Equal(WaitOutcome.Held, (await waiting).Outcome);
    }

    [Fact]
    public async Task A_publish_without_a_host_ends_at_its_timeout_and_says_that_nothing_is_known()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host, new RippleClientOptions { PublishTimeout = TimeSpan.FromMilliseconds(300) });
        await host.StopAsync();
        PublishRequest request = Publish("a", "1");
        RippleTimeoutException e = await Assert.ThrowsAsync<RippleTimeoutException>(() => client.PublishAsync(request, Token));
        Assert.Contains(request.PublishId.ToString(), e.Message, StringComparison.Ordinal);
        Assert.Contains("same publish id", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_wait_times_out_with_names_and_can_be_given_up()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        var gate = new TaskCompletionSource();
        await using RippleClient client = await ConnectAsync(host, Gated(gate));
        await client.PublishAsync(Publish("a", "1"), Token);

        WaitResult behind = await client.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.FromMilliseconds(100), cancellationToken: Token);
        Assert.Equal(WaitOutcome.TimedOut, behind.Outcome);
        Assert.Equal(client.NodeId, Assert.Single(behind.Members).Node);

        using var stop = new CancellationTokenSource();
        Task<WaitResult> waiting = client.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.FromSeconds(30), cancellationToken: stop.Token);
        await client.StatusAsync("shop", Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);

        RippleException e = await Assert.ThrowsAsync<RippleException>(() => client.WaitAsync("shop", 1, "MINIMUM(", TimeSpan.FromSeconds(1), cancellationToken: Token));
        Assert.Equal(ErrorCode.InvalidPredicate, e.Code);
        gate.SetResult();
        Assert.Equal(WaitOutcome.Held, (await client.WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.FromSeconds(20), cancellationToken: Token)).Outcome);
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
    public async Task A_restart_is_the_same_node_and_starts_from_its_snapshot_without_a_host()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        Engine.Regions.NodeId node;
        await using (RippleClient client = await ConnectAsync(host))
        {
            node = client.NodeId;
            await client.PublishAsync(Publish("a", "1"), Token);
            WaitResult result = await client.WaitAsync("shop", 1, "MIN($ALL.persisted)", TimeSpan.FromSeconds(20), cancellationToken: Token);
            Assert.Equal(WaitOutcome.Held, result.Outcome);
        }

        await host.StopAsync();
        await using (RippleClient offline = await ConnectAsync(host))
        {
            Assert.Equal(node, offline.NodeId);
            Assert.Equal("1", ValueOf(offline, "a"));
            Assert.NotEqual(ConnectionState.Connected, offline.ConnectionState);
            Assert.NotNull(offline.LastError);
            Assert.Contains(_log.Lines, l => l.Contains("without a host", StringComparison.Ordinal));

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
        RippleConnectionException e = await Assert.ThrowsAsync<RippleConnectionException>(() => ConnectAsync(host, new RippleClientOptions { ConnectTimeout = TimeSpan.FromMilliseconds(400) }));
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
            await client.WaitAsync("shop", 1, "MIN($ALL.persisted)", TimeSpan.FromSeconds(20), cancellationToken: Token);
        }

        await host.StopAsync();
        RippleConnectionException e = await Assert.ThrowsAsync<RippleConnectionException>(
            () => ConnectAsync(host, new RippleClientOptions { ConnectTimeout = TimeSpan.FromMilliseconds(400), StartupMode = StartupMode.FailFast }));
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
            await client.WaitAsync("shop", 1, "MIN($ALL.persisted)", TimeSpan.FromSeconds(20), cancellationToken: Token);
            DateTimeOffset? joinedAt = client.ConfirmedAt;
            Assert.NotNull(joinedAt);
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
            limit.CancelAfter(TimeSpan.FromSeconds(30));
            while (client.ConfirmedAt == joinedAt)
            {
                // By the next heartbeat.
                await Task.Delay(10, limit.Token);
            }

            confirmedAt = client.ConfirmedAt;
        }

        await host.StopAsync();
        await using RippleClient restarted = await ConnectAsync(host, new RippleClientOptions { ConnectTimeout = TimeSpan.FromMilliseconds(400) });
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
            await publisher.WaitAsync("shop", 1, "MIN($ALL.persisted)", TimeSpan.FromSeconds(20), cancellationToken: Token);
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
    public async Task A_wrong_token_is_refused()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        string wrong = host.ConnectionStringFor("shop").Replace("Token=", "Token=0000000000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA;#", StringComparison.Ordinal);
        wrong = wrong[..wrong.IndexOf(";#", StringComparison.Ordinal)] + ";Application=shop";
        RippleRefusedException e = await Assert.ThrowsAsync<RippleRefusedException>(
            () => RippleClient.ConnectAsync(wrong, new() { SnapshotDirectory = _folder.Path }, Token));
        Assert.Contains("The token is not known here", e.Message, StringComparison.Ordinal);
        Assert.Contains("administrator", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_of_another_authority_is_refused()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        string pinned = Convert.ToHexStringLower(host.Authority.Trust.Fingerprint.Span);
        string other = host.ConnectionStringFor("shop").Replace(pinned, new string('0', 64), StringComparison.Ordinal);
        RippleRefusedException e = await Assert.ThrowsAsync<RippleRefusedException>(() => RippleClient.ConnectAsync(other, new() { SnapshotDirectory = _folder.Path }, Token));
        Assert.Contains("authority", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_revoked_token_ends_the_connection_and_no_restart_gets_in_with_it()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        var refused = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.ConnectionStateChanged += (_, change) =>
        {
            if (change.State == ConnectionState.Refused)
            {
                refused.TrySetResult(change.Reason);
            }
        };
        await client.PublishAsync(Publish("a", "1"), Token);
        await SeeAsync(client, 1);
        await host.RevokeAsync();

        Assert.NotEqual("", await refused.Task.WaitAsync(TimeSpan.FromSeconds(20), Token));
        Assert.Equal("1", ValueOf(client, "a"));
        await Assert.ThrowsAsync<RippleRefusedException>(() => client.PublishAsync(Publish("a", "2"), Token));
        await client.DisposeAsync();
        await Assert.ThrowsAsync<RippleRefusedException>(() => ConnectAsync(host));
    }

    [Fact]
    public async Task An_application_that_is_not_there_is_said_at_the_start()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        RippleException e = await Assert.ThrowsAnyAsync<RippleException>(() => ConnectAsync(host, new RippleClientOptions { Application = "nowhere" }));
        Assert.Contains("nowhere", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_address_of_another_machine_cannot_be_bound()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        RippleException e = await Assert.ThrowsAsync<RippleException>(
            () => ConnectAsync(host, new RippleClientOptions { BindAddress = System.Net.IPAddress.Parse("192.0.2.1") }));
        Assert.Contains("BindAddress", e.Message, StringComparison.Ordinal);
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
        RippleException e = await Assert.ThrowsAnyAsync<RippleException>(() => ConnectAsync(host, new RippleClientOptions { Runtime = runtime }));
        Assert.Contains("disposed", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_disposed_client_ends_its_watches_and_calls()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        RippleClient client = await ConnectAsync(host);
        Task<WaitResult> waiting = client.WaitAsync("shop", 9, "MIN($ALL.applied)", TimeSpan.FromSeconds(60), cancellationToken: Token);
        Task watching = Task.Run(
            async () =>
            {
                await foreach (RippleRelease release in client.WatchAsync(cancellationToken: Token))
                {
                    Assert.Fail($"{release} was never published.");
                }
            },
            Token);
        await client.DisposeAsync();
        await watching.WaitAsync(TimeSpan.FromSeconds(10), Token);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.PublishAsync(Publish("a", "1"), Token));
        await client.DisposeAsync();
    }

    [Fact]
    public async Task Many_clients_share_one_runtime()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using var runtime = RippleRuntime.Create();
        RippleClient[] clients = await Task.WhenAll(Enumerable.Range(0, 20).Select(i => ConnectAsync(host, new RippleClientOptions { Runtime = runtime, Name = $"n{i}", SnapshotMode = SnapshotMode.Off })));
        try
        {
            await clients[0].PublishAsync(Publish("a", "1"), Token);
            WaitResult result = await clients[0].WaitAsync("shop", 1, "MIN($ALL.applied)", TimeSpan.FromSeconds(20), cancellationToken: Token);
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

    private static PublishRequest Publish(string key, string value, params (string Key, string Value)[] more)
    {
        var set = more.Prepend((key, value)).ToDictionary(p => p.Item1, p => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(p.Item2));
        return new() { Note = "note", Set = set };
    }

    private static RippleClientOptions Gated(TaskCompletionSource gate) => new()
    {
        AcceptRelease = async (_, stop) =>
        {
            await gate.Task.WaitAsync(stop);
            return ReleaseDecision.Accept;
        },
    };

    private static string ValueOf(RippleClient client, string key)
    {
        Assert.True(client.TryGet(key, out ReadOnlyMemory<byte> value), $"There is no '{key}'.");
        return Encoding.UTF8.GetString(value.Span);
    }

    private static async Task<RippleRelease> SeeAsync(RippleClient client, ulong release)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
        limit.CancelAfter(TimeSpan.FromSeconds(20));
        await foreach (RippleRelease seen in client.WatchAsync(cancellationToken: limit.Token))
        {
            if (seen.Release >= release)
            {
                return seen;
            }
        }

        throw new InvalidOperationException("The watch ended.");
    }

    private Task<RippleClient> ConnectAsync(TestHost host, string name) => ConnectAsync(host, new RippleClientOptions { Name = name });

    private Task<RippleClient> ConnectAsync(TestHost host, RippleClientOptions? options = null) =>
        RippleClient.ConnectAsync(host.ConnectionStringFor("shop"), (options ?? new()) with { SnapshotDirectory = _folder.Path, LoggerFactory = _log }, Token);

    private sealed class Progress(Action<WaitProgress> report) : IProgress<WaitProgress>
    {
        public void Report(WaitProgress value) => report(value);
    }
}
