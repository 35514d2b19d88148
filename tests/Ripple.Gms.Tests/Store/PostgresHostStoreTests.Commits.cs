using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Npgsql;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;

namespace Ripple.Gms.Tests.Store;

/// <content>The fence, commits beside others, and commits whose connection breaks.</content>
public sealed partial class PostgresHostStoreTests
{
    [Fact]
    public void A_host_whose_slot_another_has_taken_commits_nothing_any_more()
    {
        using IHostStore store = Open();
        CreateShop(store);
        Must(store, new() { SlotEpoch = 5 });
        Sql("UPDATE slot SET epoch = 6");
        ReleaseState shop = ReleaseState.Empty("shop");
        StoredRelease release = Next(ref shop, 1, null, [("a", "1")]);
        Refused(store, new() { Releases = [release] }, "its slot epoch is 6, and this host's is 5");
        // Not by a higher epoch of its own either, nor by what is read first.
        Refused(store, new() { SlotEpoch = 7 }, "Another host leads");
        Refused(store, new() { Tokens = [AccessTokenChange.Revoke("t", 1, "ann")] }, "Another host leads");
        Assert.Null(store.Load().Applications[0].Newest);
        Assert.Equal(6u, store.Load().SlotEpoch);
    }

    [Fact]
    public async Task A_commit_waits_for_a_takeover_that_is_under_way_and_is_refused_by_it()
    {
        using IHostStore store = Open();
        CreateShop(store);
        Must(store, new() { SlotEpoch = 5 });
        await using NpgsqlConnection taker = _server.Connect(_database);
        await using NpgsqlTransaction takeover = await taker.BeginTransactionAsync(TestContext.Current.CancellationToken);
        await using (var raise = new NpgsqlCommand("UPDATE slot SET epoch = 6", taker))
        {
            await raise.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        }

        var answer = new TaskCompletionSource<CommitResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        Assert.True(store.Commit(new() { Audit = [new(1, "ann", "late", null, null, "")] }, answer.SetResult));
        Assert.True(SpinWait.SpinUntil(
            () => _server.Ask(_database, "SELECT 1 FROM pg_locks WHERE NOT granted") is not null, TimeSpan.FromSeconds(60)));
        await takeover.CommitAsync(TestContext.Current.CancellationToken);
        CommitResult result = await answer.Task.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        Assert.Equal(StoreStatus.Refused, result.Status);
        Assert.Empty(Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 10, d)));
    }

    [Fact]
    public void A_commit_that_waits_for_a_lock_too_long_is_busy_and_not_broken()
    {
        using IHostStore store = Open(new() { PollMs = 60_000, BusyTimeoutMs = 100 });
        CreateShop(store);
        using (NpgsqlConnection other = _server.Connect(_database))
        using (NpgsqlTransaction holding = other.BeginTransaction())
        {
            using var hold = new NpgsqlCommand("SELECT 1 FROM commit_position FOR UPDATE", other);
            hold.ExecuteNonQuery();
            Assert.Equal(StoreStatus.Busy, Commit(store, new() { SlotEpoch = 1 }).Status);
            Assert.Equal(StoreStatus.Busy, Commit(store, new() { Audit = [new(1, "ann", "x", null, null, "")] }).Status);
            Assert.False(store.IsBroken);
        }

        Must(store, new() { SlotEpoch = 1 });
        Assert.Empty(Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 10, d)));
    }

    [Fact]
    public void What_somebody_else_committed_meanwhile_is_seen_by_the_next_commit()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")])] });
        using (IHostStore beside = Open(new() { IsHost = false }))
        {
            Must(beside, new() { GenerationMin = 3 });
        }

        ReleaseState old = shop;
        Refused(store, new() { Releases = [Next(ref old, 1, null, [("a", "2")])] }, "application is at 3");
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "2")], generation: 3)] });
        Assert.Equal(2UL, store.Load().Applications[0].Newest!.Release);
    }

    [Fact]
    public void A_running_host_notices_tokens_that_another_process_changed()
    {
        using IHostStore host = Open(new() { PollMs = 10 });
        long version = host.TokensVersion;
        using (IHostStore tool = Open(new() { IsHost = false }))
        {
            Must(tool, new()
            {
                Tokens = [AccessTokenChange.Create(
                    new("t1", new byte[32], AccessTokenGrant.For(["*"], AccessRole.Node), 1, null, null), "root")],
            });
        }

        Assert.True(SpinWait.SpinUntil(() => host.TokensVersion > version, TimeSpan.FromSeconds(60)));
        Assert.Single(Read<IReadOnlyList<AccessToken>>(host.ReadTokens));
    }

    [Fact]
    public void Sessions_that_the_server_ended_are_made_anew_and_nobody_is_told()
    {
        using IHostStore store = Open();
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        for (int i = 0; i < 3; i++)
        {
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", $"v{i}")])] });
            Assert.Equal(shop.Release, Read<ReleaseState?>(d => store.ReadState(1, 0, d))!.Release);
            Assert.Empty(Read<IReadOnlyList<AccessToken>>(store.ReadTokens));
            foreach (string session in (string[])[PostgresAddress.CommitsName, "ripple-reads", "ripple-walks"])
            {
                EndSession(session);
            }
        }

        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "last")])] });
        Assert.Equal(4UL, store.Load().Applications[0].Newest!.Release);
        Assert.Null(store.Trouble);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_commit_whose_answer_is_lost_is_told_as_what_became_of_it(bool isQuick)
    {
        using var relay = new Relay(_server.SocketPath);
        PostgresAddress address = AddressOf(relay);
        using (var store = new PostgresHostStore(address, MarkPath, new HostStoreOptions { PollMs = 60_000 }))
        {
            CreateShop(store);
            ReleaseState shop = ReleaseState.Empty("shop");
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")])] });
            for (int i = 0; i < 4; i++)
            {
                StoredRelease release = Next(ref shop, 1, null, [("a", isQuick ? $"v{i}" : "1")]);
                // What brings its values takes one round trip; what does not takes two, and the answer of the second is lost.
                relay.LoseAnswer(isQuick ? 1 : 2);
                Must(store, new() { Releases = [isQuick ? release : release with { Bodies = [] }] });
                Assert.True(relay.HasLost);
                Assert.Equal(shop.Release, store.Load().Applications[0].Newest!.Release);
            }

            Assert.Equal(5UL, shop.Release);
            Assert.Equal(0, store.FailedCount);
        }
    }

    [Fact]
    public void A_commit_that_was_told_as_failed_and_is_there_ends_the_store_until_it_is_opened_again()
    {
        using var relay = new Relay(_server.SocketPath);
        PostgresAddress address = AddressOf(relay);
        using (var store = new PostgresHostStore(address, MarkPath, new HostStoreOptions { PollMs = 20, BusyTimeoutMs = 200 }))
        {
            CreateShop(store);
            CommitResult result;
            do
            {
                // Where a poll lost its answer first, the commit is not tried.
                relay.LetThrough();
                LetTimePass(() => store.Trouble is null);
                relay.LoseAnswer(1, andAll: true);
                result = Commit(store, new() { Audit = [new(1, "ann", "test", null, null, "")] });
                Assert.False(result.IsDone);
            }
            while (result.Status != StoreStatus.Failed);

            Assert.Contains("until its database tells", result.Reason, StringComparison.Ordinal);
            relay.LetThrough();
            LetTimePass(() => store.Trouble is { MayPass: false });
            Assert.Contains("until the host is started again", store.Trouble!.Reason, StringComparison.Ordinal);
            Assert.Equal(StoreStatus.Failed, Commit(store, new() { SlotEpoch = 1 }).Status);
        }

        using IHostStore again = Open();
        Assert.Single(Read<IReadOnlyList<AuditRecord>>(d => again.ReadAudit(null, long.MaxValue, 10, d)));
        Must(again, new() { SlotEpoch = 1 });
    }

    [Fact]
    public void A_commit_that_never_came_is_told_as_failed_and_the_store_goes_on_without_it()
    {
        using IHostStore store = Open(new() { PollMs = 20, BusyTimeoutMs = 200 });
        CreateShop(store);
        BreakDisk();
        Assert.Equal(StoreStatus.Failed, Commit(store, new() { Audit = [new(1, "ann", "test", null, null, "")] }).Status);
        Assert.True(store.IsBroken);
        MendDisk();
        LetTimePass(() => store.Trouble is null);
        Assert.False(store.IsBroken);
        Assert.Empty(Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 10, d)));
        Must(store, new() { SlotEpoch = 1 });
    }

    [Fact]
    public void A_database_that_lacks_commits_takes_no_more_of_a_host_that_saw_them()
    {
        using IHostStore store = Open();
        CreateShop(store);
        Must(store, new() { SlotEpoch = 1 });
        Sql("UPDATE commit_position SET number = number - 1, nonces = nonces[2:]");
        CommitResult result = Commit(store, new() { Audit = [new(1, "ann", "test", null, null, "")] });
        Assert.Equal(StoreStatus.Failed, result.Status);
        Assert.Contains("lacks what was committed", result.Reason, StringComparison.Ordinal);
        store.Dispose();
        using IHostStore again = Open();
        Assert.StartsWith("it has 1 commits, and 2 were seen here", again.Load().Copy!.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void A_database_that_answers_late_is_asked_again_when_the_store_is_opened()
    {
        using var relay = new Relay(_server.SocketPath) { SilentLeft = 2 };
        PostgresAddress address = AddressOf(relay, ";Timeout=1");
        using (var store = new PostgresHostStore(address, MarkPath))
        {
            Assert.Equal(0, relay.SilentLeft);
            CreateShop(store);
        }

        relay.SilentLeft = int.MaxValue;
        StoreException e = Assert.Throws<StoreException>(
            () => new PostgresHostStore(address, MarkPath, new HostStoreOptions { OpenPatienceMs = 0 }));
        Assert.Contains("did not answer in time", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_that_was_told_done_is_lost_when_the_server_dies_again_and_again()
    {
        using var server = new PostgresTestServer();
        server.StartOrSkip();
        string database = server.MakeDatabase();
        ReleaseState shop = ReleaseState.Empty("shop");
        using (var store = new PostgresHostStore(
            server.Address(database), MarkPath, new HostStoreOptions { PollMs = 20, BusyTimeoutMs = 60_000 }))
        {
            Must(store, new() { Applications = [new(1, "shop", 1)], SlotEpoch = 1 });
            int kills = 0;
            Task killing = Task.CompletedTask;
            for (int i = 0; i < 400; i++)
            {
                if (i % 80 == 40)
                {
                    await killing;
                    kills++;
                    killing = Task.Run(
                        () =>
                        {
                            server.Kill();
                            Assert.True(server.Begin());
                        },
                        TestContext.Current.CancellationToken);
                }

                ReleaseState before = shop;
                StoredRelease release = Next(ref shop, 1, null, [("a", $"v{i}")]);
                CommitResult result = Commit(store, new() { Releases = [release] });
                while (result.Status is StoreStatus.Full or StoreStatus.Busy)
                {
                    // It was not written, and so it is tried again.
                    Thread.Yield();
                    result = Commit(store, new() { Releases = [release] });
                }

                Assert.True(result.IsDone, result.Reason);
                Assert.Equal(before.Release + 1, shop.Release);
            }

            await killing;
            Assert.Equal(5, kills);
            Assert.Equal(shop.Id, store.Load().Applications[0].Newest!.Id);
        }

        using var again = new PostgresHostStore(server.Address(database), MarkPath);
        Assert.Null(again.Load().Copy);
        Assert.Equal(400UL, again.Load().Applications[0].Newest!.Release);
    }

    private PostgresAddress AddressOf(Relay relay, string more = "")
    {
        string text = string.Create(
            CultureInfo.InvariantCulture, $"Host=127.0.0.1;Port={relay.Port};Database={_database};Username=host{more}");
        return PostgresAddress.Parse(text, "a test");
    }

    /// <summary>Passes bytes between a host and a server, and loses an answer with its connection when it is told to.</summary>
    private sealed class Relay : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly string _socketPath;
        private readonly CancellationTokenSource _ending = new();
        private int _answersLeft = -1;
        private volatile bool _isShut;
        private readonly List<Socket> _silent = [];
        private int _silentLeft;

        public Relay(string socketPath)
        {
            _socketPath = socketPath;
            _listener.Start();
            _ = AcceptAsync();
        }

        public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

        public bool HasLost { get; private set; }

        /// <summary>How many connections, from now on, are taken and never answered.</summary>
        public int SilentLeft
        {
            get => Volatile.Read(ref _silentLeft);
            set => Volatile.Write(ref _silentLeft, value);
        }

        /// <summary>The answer with this number, from now on, is read from the server and given to nobody.</summary>
        public void LoseAnswer(int number, bool andAll = false)
        {
            HasLost = false;
            _isShut = false;
            _andAll = andAll;
            Volatile.Write(ref _answersLeft, number);
        }

        private volatile bool _andAll;

        public void LetThrough() => _isShut = false;

        public void Dispose()
        {
            _ending.Cancel();
            _listener.Dispose();
            _silent.ForEach(s => s.Dispose());
            _ending.Dispose();
        }

        private async Task AcceptAsync()
        {
            try
            {
                while (true)
                {
                    Socket client = await _listener.AcceptSocketAsync(_ending.Token);
                    client.NoDelay = true;
                    if (_isShut)
                    {
                        client.Dispose();
                        continue;
                    }

                    if (SilentLeft > 0)
                    {
                        SilentLeft--;
                        _silent.Add(client);
                        continue;
                    }

                    var server = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                    await server.ConnectAsync(new UnixDomainSocketEndPoint(_socketPath));
                    _ = PassAsync(client, server, isAnswer: false);
                    _ = PassAsync(server, client, isAnswer: true);
                }
            }
            catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
            {
                // The test has ended.
            }
        }

        private async Task PassAsync(Socket from, Socket to, bool isAnswer)
        {
            byte[] bytes = new byte[65_536];
            try
            {
                int count;
                while ((count = await from.ReceiveAsync(bytes)) > 0)
                {
                    // An answer ends with its last message, ReadyForQuery: 'Z', its length, and the state of the transaction.
                    if (isAnswer && count >= 6 && bytes[count - 6] == (byte)'Z' && Volatile.Read(ref _answersLeft) >= 0
                        && Interlocked.Decrement(ref _answersLeft) == 0)
                    {
                        HasLost = true;
                        _isShut = _andAll;
                        Volatile.Write(ref _answersLeft, -1);
                        break;
                    }

                    await to.SendAsync(bytes.AsMemory(0, count));
                }
            }
            catch (SocketException)
            {
                // The other side went.
            }
            catch (ObjectDisposedException)
            {
                // As above.
            }

            from.Dispose();
            to.Dispose();
        }
    }
}
