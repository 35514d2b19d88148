using System.Collections.Concurrent;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Store;

namespace Ripple.Gms.Tests.Server;

/// <summary>A host that leads by its lease, and one that waits for it.</summary>
public sealed class LeaseKeeperTests
{
    private static readonly LeaseTimes Quick = new(LeaseMs: 600, RenewMs: 50, StandbyMs: 10);
    private readonly PostgresTestServer _server;

    public LeaseKeeperTests(PostgresTestServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        _server = server;
        server.StartOrSkip();
    }

    [Fact]
    public async Task A_standby_is_told_who_leads_and_leads_when_the_lease_is_given_back()
    {
        string database = _server.MakeDatabase();
        LeaseKeeper one = await TakeAsync(_server.Address(database), "one");
        Assert.True(one.IsHeld);
        var told = new TaskCompletionSource<LeaseHolder>();
        Task<LeaseKeeper> waiting = TakeAsync(_server.Address(database), "two", holder => told.TrySetResult(holder));
        Assert.Equal("one", (await told.Task.WaitAsync(ControlHarness.Patience, HostHarness.Cancel)).Name);
        one.SetEndpoint("one:7");
        await ControlHarness.UntilAsync(
            () => _server.Ask(database, "SELECT endpoint FROM lease") is "one:7", "the endpoint is told with the lease");
        Assert.False(waiting.IsCompleted);
        Assert.False(one.Lost.IsCompleted);
        one.Dispose();
        Assert.False(one.IsHeld);
        using LeaseKeeper two = await waiting;
        Assert.True(two.IsHeld);
    }

    [Fact]
    public async Task Who_has_lost_the_lease_is_unsure_at_once_and_says_so()
    {
        string database = _server.MakeDatabase();
        using LeaseKeeper one = await TakeAsync(_server.Address(database), "one");
        _server.Run(database, "UPDATE lease SET holder = gen_random_uuid()");
        await one.Lost.WaitAsync(ControlHarness.Patience, HostHarness.Cancel);
        Assert.False(one.IsHeld);
    }

    [Fact]
    public async Task Who_cannot_renew_it_is_unsure_before_it_ends_and_sure_again_when_the_database_is_back()
    {
        using var server = new PostgresTestServer();
        server.StartOrSkip();
        using LeaseKeeper one = await TakeAsync(server.Address(server.MakeDatabase()), "one");
        server.Kill();
        await ControlHarness.UntilAsync(() => !one.IsHeld, "the deadline has passed");
        Assert.True(server.Begin());
        await ControlHarness.UntilAsync(() => one.IsHeld, "the lease is renewed");
        Assert.False(one.Lost.IsCompleted);
    }

    [Fact]
    public async Task A_host_with_the_name_of_the_one_that_leads_elsewhere_is_refused()
    {
        PostgresAddress address = _server.Address(_server.MakeDatabase());
        using LeaseKeeper one = await TakeAsync(address, "one", endpoint: "one:1");
        one.SetEndpoint("one:1");
        GmsServerException e = await Assert.ThrowsAsync<GmsServerException>(() => TakeAsync(address, "one", endpoint: "two:1"));
        Assert.Contains("--name", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_leader_is_told_with_its_endpoint_when_it_listens_there_and_not_before()
    {
        PostgresAddress address = _server.Address(_server.MakeDatabase());
        using LeaseKeeper one = await TakeAsync(address, "one", endpoint: "one:1");
        using var stop = new CancellationTokenSource();
        var told = new ConcurrentQueue<string>();
        Task<LeaseKeeper> waiting = TakeAsync(
            address, "two", holder => told.Enqueue(holder.Endpoint), "two:1", cancellationToken: stop.Token);
        await ControlHarness.UntilAsync(() => told.Count >= 2, "the standby has asked twice");
        Assert.All(told, t => Assert.Empty(t));
        one.SetEndpoint("one:1");
        await ControlHarness.UntilAsync(() => told.Contains("one:1"), "the standby is told where the leader is");
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }

    [Fact]
    public async Task A_wait_is_ended_by_its_token_and_a_database_that_refuses_ends_it_at_once()
    {
        string database = _server.MakeDatabase();
        using LeaseKeeper one = await TakeAsync(_server.Address(database), "one");
        using var stop = new CancellationTokenSource();
        var told = new TaskCompletionSource<LeaseHolder>();
        Task<LeaseKeeper> waiting = TakeAsync(
            _server.Address(database), "two", holder => told.TrySetResult(holder), cancellationToken: stop.Token);
        await told.Task.WaitAsync(ControlHarness.Patience, HostHarness.Cancel);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        StoreException e = await Assert.ThrowsAsync<StoreException>(() => TakeAsync(_server.Address("nowhere"), "one"));
        Assert.Contains("cannot be opened", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_start_that_follows_a_lost_lease_asks_a_database_that_is_away_until_it_is_back_or_it_is_stopped()
    {
        using var server = new PostgresTestServer();
        server.StartOrSkip();
        PostgresAddress address = server.Address(server.MakeDatabase());
        server.Kill();
        StoreException refused = await Assert.ThrowsAsync<StoreException>(() => TakeAsync(address, "one"));
        Assert.Contains("cannot be opened", refused.Message, StringComparison.Ordinal);
        using var stop = new CancellationTokenSource();
        var logs = new LineLogs();
        Task<LeaseKeeper> stopped = ReturnAsync(address, logs, stop.Token);
        await ControlHarness.UntilAsync(() => logs.Lines.Any(l => l.Id == LogEvents.LeaseUnknown), "it says that the database is away");
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stopped);

        Task<LeaseKeeper> waiting = ReturnAsync(address, logs, HostHarness.Cancel);
        await ControlHarness.UntilAsync(() => logs.Lines.Count(l => l.Id == LogEvents.LeaseUnknown) == 2, "it says so again");
        Assert.True(server.Begin());
        using LeaseKeeper one = await waiting;
        Assert.True(one.IsHeld);
        Assert.Equal(2, logs.Lines.Count(l => l.Id == LogEvents.LeaseUnknown));
    }

    [Fact]
    public async Task A_database_that_breaks_at_the_first_question_is_one_clear_line()
    {
        string database = _server.MakeDatabase();
        (await TakeAsync(_server.Address(database), "one")).Dispose();
        _server.Run(database, "ALTER TABLE lease DROP COLUMN endpoint");
        StoreException e = await Assert.ThrowsAsync<StoreException>(() => TakeAsync(_server.Address(database), "one"));
        Assert.Contains("cannot be opened", e.Message, StringComparison.Ordinal);
        Assert.Null(e.InnerException);
    }

    private static Task<LeaseKeeper> ReturnAsync(PostgresAddress address, LineLogs logs, CancellationToken cancellationToken) =>
        LeaseKeeper.TakeAsync(
            address,
            new LeaseHolder(Guid.NewGuid(), "one", ""),
            patienceMs: null,
            Quick,
            _ => Task.CompletedTask,
            logs.CreateLogger("lease"),
            cancellationToken);

    private static Task<LeaseKeeper> TakeAsync(
        PostgresAddress address,
        string name,
        Action<LeaseHolder>? onStandby = null,
        string endpoint = "",
        CancellationToken? cancellationToken = null) => LeaseKeeper.TakeAsync(
            address,
            new LeaseHolder(Guid.NewGuid(), name, endpoint),
            patienceMs: 1_000,
            Quick,
            holder =>
            {
                onStandby?.Invoke(holder);
                return Task.CompletedTask;
            },
            NullLogger.Instance,
            cancellationToken ?? HostHarness.Cancel);
}
