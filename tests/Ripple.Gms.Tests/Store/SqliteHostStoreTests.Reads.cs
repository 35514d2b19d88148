using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using SQLitePCL;

namespace Ripple.Gms.Tests.Store;

/// <content>Reads beside commits, beside each other, and of what somebody else wrote.</content>
public sealed partial class SqliteHostStoreTests
{
    [Fact]
    public void A_read_that_takes_long_holds_up_no_commit()
    {
        using var store = new SqliteHostStore(StorePath);
        using var isReading = new ManualResetEventSlim();
        using var mayGoOn = new ManualResetEventSlim();
        Assert.True(store.ReadTokens(_ =>
        {
            isReading.Set();
            mayGoOn.Wait(TimeSpan.FromSeconds(60));
        }));
        Assert.True(isReading.Wait(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken));
        CreateShop(store);
        mayGoOn.Set();
        Assert.Single(store.Load().Applications);
    }

    [Fact]
    public void A_read_waits_for_the_commits_that_were_requested_before_it()
    {
        using var store = new SqliteHostStore(StorePath);
        for (int i = 1; i <= 200; i++)
        {
            Assert.True(store.Commit(new() { Audit = [new(i, "ann", "test", null, null, "")] }, _ => { }));
            IReadOnlyList<AuditRecord> newest = Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 1, d));
            Assert.Equal(i, Assert.Single(newest).Entry.TimeUnixMicros);
        }
    }

    [Theory]
    [InlineData("UPDATE changes SET digest = (SELECT digest FROM changes WHERE key = 'b') WHERE key = 'a'")]
    [InlineData("PRAGMA foreign_keys = OFF; UPDATE changes SET digest = x'01' WHERE key = 'a'")]
    [InlineData("UPDATE changes SET digest = NULL WHERE key = 'a'")]
    [InlineData("UPDATE changes SET length = 2 WHERE key = 'a'")]
    [InlineData("UPDATE changes SET key = 'c' WHERE key = 'a'")]
    [InlineData("UPDATE changes SET key = '' WHERE key = 'a'")]
    public void A_past_state_whose_changes_somebody_wrote_is_given_to_nobody(string sql) => PastStateIsGivenToNobody(() => Sql(sql));

    [Fact]
    public void Tokens_and_values_are_read_while_64_past_states_wait()
    {
        using var store = new SqliteHostStore(StorePath);
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "1")])] });
        Must(store, new()
        {
            Tokens = [AccessTokenChange.Create(new("t", new byte[32], AccessTokenGrant.For(["*"], AccessRole.Node), 1, null, null), "ann")],
        });
        using var mayGoOn = new ManualResetEventSlim();
        using var answered = new CountdownEvent(65);
        HoldWalks(store, mayGoOn, answered);
        for (int i = 0; i < 64; i++)
        {
            Assert.True(store.ReadState(1, 1, _ => answered.Signal()));
        }

        long version = store.TokensVersion;
        Must(store, new() { Tokens = [AccessTokenChange.Revoke("t", 50, "ann")] });
        Assert.True(store.TokensVersion > version);
        Assert.Equal(50, Assert.Single(Read<IReadOnlyList<AccessToken>>(store.ReadTokens)).RevokedUnixMicros);
        Assert.Equal(1, Read<ReadOnlyMemory<byte>?>(d => store.ReadBody(1, shop.Keys["a"].Digest, d))!.Value.Length);
        Assert.Single(Read<IReadOnlyList<ReleaseRecord>>(d => store.ReadReleases(1, 1, int.MaxValue, d)));
        Assert.Equal(65, answered.CurrentCount);
        mayGoOn.Set();
        Assert.True(answered.Wait(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken));
    }

    [Fact]
    public void A_walk_of_one_application_waits_for_one_of_each_other_at_most()
    {
        using var store = new SqliteHostStore(StorePath);
        Must(store, new() { Applications = [new(1, "shop", 1), new(2, "other", 1)] });
        using var mayGoOn = new ManualResetEventSlim();
        using var answered = new CountdownEvent(9);
        HoldWalks(store, mayGoOn, answered);
        var order = new List<uint>();
        foreach (uint topic in (uint[])[1, 1, 1, 1, 1, 2, 2, 1])
        {
            Assert.True(store.ReadHistory(topic, ulong.MaxValue, 1, _ =>
            {
                order.Add(topic);
                answered.Signal();
            }));
        }

        mayGoOn.Set();
        Assert.True(answered.Wait(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken));
        Assert.Equal([1u, 2u, 1u, 2u, 1u, 1u, 1u, 1u], order);
    }

    [Fact]
    public async Task While_somebody_always_reads_the_log_begins_anew()
    {
        const int LogBytesMax = 1_000_000;
        using var store = new SqliteHostStore(StorePath, new HostStoreOptions { LogBytesMax = LogBytesMax });
        CreateShop(store);
        ReleaseState shop = ReleaseState.Empty("shop");
        for (int i = 0; i < 10; i++)
        {
            // A history that takes much longer to walk through than a commit takes.
            (string, string?)[] changes = [.. Enumerable.Range(0, 1_000).Select(k => ($"{k:D4}", (string?)$"{i}"))];
            Must(store, new() { Releases = [Next(ref shop, 1, null, changes)] });
        }

        using var ending = new CancellationTokenSource();
        Task reading = Task.Run(
            () =>
            {
                while (!ending.IsCancellationRequested)
                {
                    // Several at a time, so that one always waits when another ends.
                    Task.WaitAll([.. Enumerable.Range(0, 4).Select(_ => store.ReadAsync<ReleaseState?>(d => store.ReadState(1, 0, d)))]);
                }
            },
            TestContext.Current.CancellationToken);
        for (int i = 0; i < 100; i++)
        {
            Must(store, new() { Releases = [Next(ref shop, 1, null, [($"key-{i % 7}", $"{i}" + new string('x', 100_000))])] });
        }

        await ending.CancelAsync();
        await reading;
        // Ten megabytes were written; a group or two after the limit the log begins anew.
        Assert.InRange(new FileInfo(StorePath + "-wal").Length, 1, 5 * LogBytesMax);
        Assert.Equal(110UL, store.Load().Applications[0].Newest!.Release);
    }

    /// <summary>Keeps the thread of walks busy until it may go on.</summary>
    private static void HoldWalks(SqliteHostStore store, ManualResetEventSlim mayGoOn, CountdownEvent answered)
    {
        using var isWalking = new ManualResetEventSlim();
        Assert.True(store.ReadState(1, 0, _ =>
        {
            isWalking.Set();
            mayGoOn.Wait(TimeSpan.FromSeconds(60));
            answered.Signal();
        }));
        Assert.True(isWalking.Wait(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken));
    }

    /// <summary>How SQLite would do a query.</summary>
    private string Plan(string sql)
    {
        using sqlite3 database = OpenRaw();
        Assert.Equal(raw.SQLITE_OK, raw.sqlite3_prepare_v2(database, "EXPLAIN QUERY PLAN " + sql, out sqlite3_stmt statement));
        using (statement)
        {
            Assert.Equal(raw.SQLITE_ROW, raw.sqlite3_step(statement));
            return raw.sqlite3_column_text(statement, 3).utf8_to_string();
        }
    }
}
