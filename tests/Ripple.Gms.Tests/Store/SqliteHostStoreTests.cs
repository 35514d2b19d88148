using System.Diagnostics;
using System.Globalization;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using SQLitePCL;

namespace Ripple.Gms.Tests.Store;

public sealed class SqliteHostStoreTests : HostStoreContract, IDisposable
{
    private readonly string _directory = Path.Combine(Path.GetTempPath(), "ripple-store-" + Guid.NewGuid().ToString("N"));

    private string StorePath => Path.Combine(_directory, "host.db");

    public void Dispose()
    {
        if (Directory.Exists(_directory))
        {
            Directory.Delete(_directory, recursive: true);
        }
    }

    private protected override IHostStore Open(HostStoreOptions? options = null) => new SqliteHostStore(StorePath, options);

    protected override T Ask<T>(Func<Action<T>, bool> ask)
    {
        var answer = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        Assert.True(ask(answer.SetResult));
        Assert.True(answer.Task.Wait(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken), "the store did not answer");
        return answer.Task.Result;
    }

    protected override void WriteFormat(int version) =>
        Sql(string.Create(CultureInfo.InvariantCulture, $"UPDATE settings SET value = {version} WHERE name = 'format_version'"));

    // A table the connection knows is gone, as after damage.
    protected override void BreakDisk() => Sql("ALTER TABLE audit RENAME TO lost");

    [Fact]
    public void Commits_are_flushed()
    {
        using var store = new SqliteHostStore(StorePath);
        Assert.Equal(2, store.ReadBackSynchronous());
    }

    [Fact]
    public void A_store_of_format_1_is_taken_over_with_the_role_of_each_token()
    {
        using (IHostStore store = Open())
        {
            CreateShop(store);
        }

        // Tokens as format 1 had them.
        Sql("DROP TABLE grants");
        Sql("DROP TABLE tokens");
        Sql(
            "CREATE TABLE tokens (id TEXT NOT NULL PRIMARY KEY, secret_hash BLOB NOT NULL, applications TEXT NOT NULL, "
                + "role INTEGER NOT NULL, created INTEGER NOT NULL, expires INTEGER, revoked INTEGER) WITHOUT ROWID");
        Sql("INSERT INTO tokens VALUES ('t1', x'00', 'shop,other', 1, 5, 9, NULL), ('t2', x'01', '*', 2, 6, NULL, 7)");
        WriteFormat(1);

        // A tool does not take it over: the host of the version before may be running.
        Assert.Contains(
            "Start the host first",
            Assert.Throws<StoreException>(() => Open(new HostStoreOptions { IsHost = false })).Message,
            StringComparison.Ordinal);
        using IHostStore again = Open();
        IReadOnlyList<AccessToken> tokens = Read<IReadOnlyList<AccessToken>>(again.ReadTokens);
        Assert.Equal(["t1", "t2"], tokens.Select(t => t.Id));
        Assert.Equal(AccessTokenGrant.For(["other", "shop"], AccessRole.Publisher), tokens[0].Grants);
        Assert.Equal(AccessTokenGrant.For(["*"], AccessRole.Admin), tokens[1].Grants);
        Assert.Equal(
            (5L, 9L, (long?)null, ""),
            (tokens[0].CreatedUnixMicros, tokens[0].ExpiresUnixMicros, tokens[0].RevokedUnixMicros, tokens[0].Name));
        Assert.Equal(7L, tokens[1].RevokedUnixMicros);
        Assert.Single(again.Load().Applications);
        Assert.Equal(2, again.Load().FormatVersion);
    }

    [Fact]
    public void Only_the_owner_may_read_the_files()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no file modes.");
            return;
        }

        using IHostStore store = Open();
        CreateShop(store);
        const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        Assert.Equal(Owner | UnixFileMode.UserExecute, File.GetUnixFileMode(_directory));
        foreach (string suffix in (string[])["", "-wal", "-shm"])
        {
            Assert.Equal(Owner, File.GetUnixFileMode(StorePath + suffix));
        }
    }

    [Fact]
    public void A_file_that_is_no_database_is_refused_and_left_alone()
    {
        Directory.CreateDirectory(_directory);
        byte[] text = [.. Enumerable.Repeat((byte)'x', 5000)];
        File.WriteAllBytes(StorePath, text);
        StoreException e = Assert.Throws<StoreException>(() => Open());
        Assert.Contains(StorePath, e.Message, StringComparison.Ordinal);
        Assert.Equal(text, File.ReadAllBytes(StorePath));
    }

    [Fact]
    public void A_database_of_another_program_is_refused()
    {
        Directory.CreateDirectory(_directory);
        Sql("CREATE TABLE theirs (a)");
        StoreException e = Assert.Throws<StoreException>(() => Open());
        Assert.Contains("another program", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_file_is_refused_when_opened_or_loaded()
    {
        ReleaseState shop = ReleaseState.Empty("shop");
        using (IHostStore store = Open())
        {
            CreateShop(store);
            for (int i = 0; i < 50; i++)
            {
                Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", new string('x', 500) + i), ("k" + i, "v")])] });
            }
        }

        byte[] bytes = File.ReadAllBytes(StorePath);
        new Random(1).NextBytes(bytes.AsSpan(4096));
        File.WriteAllBytes(StorePath, bytes);
        Assert.Throws<StoreException>(() =>
        {
            using IHostStore store = Open();
            store.Load();
        });
    }

    [Fact]
    public void A_path_that_cannot_be_made_is_refused()
    {
        Directory.CreateDirectory(_directory);
        File.WriteAllText(StorePath, "");
        StoreException e = Assert.Throws<StoreException>(() => new SqliteHostStore(Path.Combine(StorePath, "below", "host.db")));
        Assert.Contains("cannot be made", e.Message, StringComparison.Ordinal);
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
    public void A_locked_store_is_busy_and_not_broken()
    {
        using IHostStore store = Open(new() { BusyTimeoutMs = 50 });
        CreateShop(store);
        using (sqlite3 other = OpenRaw())
        {
            Run(other, "BEGIN IMMEDIATE");
            CommitResult result = Commit(store, new() { SlotEpoch = 1 });
            Assert.Equal(StoreStatus.Busy, result.Status);
            Assert.False(store.IsBroken);
            Run(other, "ROLLBACK");
        }

        Must(store, new() { SlotEpoch = 1 });
    }

    [Fact]
    public void Every_batch_of_a_group_whose_flush_failed_is_told_so()
    {
        using IHostStore store = Open();
        CreateShop(store);
        CommitResult[] results = CommitTogether(store, 5, BreakDisk);
        Assert.All(results, r => Assert.Equal(StoreStatus.Failed, r.Status));
        Assert.True(store.IsBroken);
    }

    [Fact]
    public void Every_batch_of_a_group_that_found_the_store_locked_is_told_so()
    {
        using IHostStore store = Open(new() { BusyTimeoutMs = 50 });
        CreateShop(store);
        using sqlite3 other = OpenRaw();
        CommitResult[] results = CommitTogether(store, 5, () => Run(other, "BEGIN IMMEDIATE"));
        Run(other, "ROLLBACK");
        Assert.All(results, r => Assert.Equal(StoreStatus.Busy, r.Status));
        Assert.False(store.IsBroken);
        Assert.Empty(Read<IReadOnlyList<AuditRecord>>(d => store.ReadAudit(null, long.MaxValue, 10, d)));
    }

    [Fact]
    public void Everything_told_durable_is_in_a_copy_of_the_files_taken_at_that_moment()
    {
        // The files of a host that dies are those a copy sees: nothing that was told may be missing from it.
        string copy = Path.Combine(_directory, "copy.db");
        ReleaseState shop = ReleaseState.Empty("shop");
        using IHostStore store = Open();
        CreateShop(store);
        for (int round = 0; round < 5; round++)
        {
            for (int i = 0; i < 20; i++)
            {
                Assert.True(store.Commit(new() { Releases = [Next(ref shop, 1, null, [("a", $"{round}.{i}")])] }, _ => { }));
            }

            Must(store, new() { Audit = [new(round, "a", "b", null, null, "")] });
            File.Copy(StorePath, copy, overwrite: true);
            File.Copy(StorePath + "-wal", copy + "-wal", overwrite: true);
            using var restored = new SqliteHostStore(copy);
            Assert.Equal(shop.Release, restored.Load().Applications[0].Newest!.Release);
        }
    }

    [Fact]
    public void A_full_disk_fails_the_batch_and_leaves_no_part_of_it()
    {
        Directory.CreateDirectory(_directory);
        string mount = Path.Combine(_directory, "small");
        Directory.CreateDirectory(mount);
        if (!OperatingSystem.IsLinux() || !TryRun("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount))
        {
            Assert.Skip("A small file system needs Linux and root.");
        }

        try
        {
            ReleaseState shop = ReleaseState.Empty("shop");
            string path = Path.Combine(mount, "host.db");
            using (var store = new SqliteHostStore(path))
            {
                CreateShop(store);
                Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "small")])] });
                CommitResult result = Commit(store, new() { Releases = [Next(ref shop, 1, null, [("b", new string('x', 2_000_000))])] });
                Assert.Equal(StoreStatus.Failed, result.Status);
                Assert.True(store.IsBroken);
            }

            using var again = new SqliteHostStore(path);
            Assert.Equal(1UL, again.Load().Applications[0].Newest!.Release);
        }
        finally
        {
            Assert.True(TryRun("umount", mount));
        }
    }

    /// <summary>
    /// Commits that wait together, as one group, and how each ended. The store's thread is kept busy until all of them wait and the trouble
    /// is there.
    /// </summary>
    private static CommitResult[] CommitTogether(IHostStore store, int count, Action trouble)
    {
        CancellationToken cancel = TestContext.Current.CancellationToken;
        using var isReading = new ManualResetEventSlim();
        using var mayGoOn = new ManualResetEventSlim();
        Assert.True(store.ReadTokens(_ =>
        {
            isReading.Set();
            mayGoOn.Wait(TimeSpan.FromSeconds(60));
        }));
        Assert.True(isReading.Wait(TimeSpan.FromSeconds(60), cancel));
        TaskCompletionSource<CommitResult>[] ends = [.. Enumerable.Range(0, count).Select(
            _ => new TaskCompletionSource<CommitResult>(TaskCreationOptions.RunContinuationsAsynchronously))];
        foreach (TaskCompletionSource<CommitResult> end in ends)
        {
            Assert.True(store.Commit(new() { Audit = [new(1, "ann", "test", null, null, "")] }, end.SetResult));
        }

        trouble();
        mayGoOn.Set();
        return [.. ends.Select(end => end.Task.Wait(TimeSpan.FromSeconds(60), cancel) ? end.Task.Result : throw new TimeoutException(
            "the store did not answer"))];
    }

    private static bool TryRun(string command, params string[] arguments)
    {
        try
        {
            using Process? process = Process.Start(new ProcessStartInfo(command, arguments) { RedirectStandardError = true });
            process!.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }

    private void Sql(string sql)
    {
        using sqlite3 database = OpenRaw();
        Run(database, sql);
    }

    private sqlite3 OpenRaw()
    {
        Batteries_V2.Init();
        Assert.Equal(raw.SQLITE_OK, raw.sqlite3_open(StorePath, out sqlite3 database));
        return database;
    }

    private static void Run(sqlite3 database, string sql) => Assert.Equal(raw.SQLITE_OK, raw.sqlite3_exec(database, sql));
}
