using System.Globalization;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using Ripple.Simulator.Disks;
using SQLitePCL;

namespace Ripple.Gms.Tests.Store;

public sealed partial class SqliteHostStoreTests : HostStoreContract, IDisposable
{
    private readonly string _directory = Path.Combine(Path.GetTempPath(), "ripple-store-" + Guid.NewGuid().ToString("N"));

    private SmallDisk? _disk;

    private string StorePath => Path.Combine(_directory, "host.db");

    public void Dispose()
    {
        _disk?.Dispose();
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

    protected override void NeedDiskThatFills() => _disk = SmallDisk.MountOrSkip(_directory, 8 * 1_024 * 1_024);

    protected override void FillDisk() => _disk!.Fill();

    protected override void MakeRoom() => _disk!.MakeRoom();

    protected override void LetTimePass(Func<bool> until) => SpinWait.SpinUntil(until, TimeSpan.FromSeconds(60));

    // A table the connection knows is gone, as after damage.
    protected override void BreakDisk() => Sql("ALTER TABLE audit RENAME TO lost");

    private protected override object CopyAll()
    {
        string copy = Path.Combine(_directory, Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(copy);
        File.Copy(StorePath, Path.Combine(copy, "store"));
        File.Copy(StorePath + ".mark", Path.Combine(copy, "mark"));
        return copy;
    }

    private protected override void PutBack(object copy, MarkFate mark)
    {
        File.Copy(Path.Combine((string)copy, "store"), StorePath, overwrite: true);
        switch (mark)
        {
            case MarkFate.Lost:
                File.Delete(StorePath + ".mark");
                break;
            case MarkFate.Copied:
                File.Copy(Path.Combine((string)copy, "mark"), StorePath + ".mark", overwrite: true);
                break;
            default:
                break;
        }
    }

    [Theory]
    [InlineData(0, "the mark that was beside it is missing")]
    [InlineData(20, "the mark that was beside it is missing")]
    [InlineData(63, "the mark that was beside it is missing")]
    public void A_mark_whose_first_cell_is_damaged_is_none(int at, string reason)
    {
        using (IHostStore store = Open())
        {
            Must(store, new() { SlotEpoch = 1 });
        }

        byte[] bytes = File.ReadAllBytes(StorePath + ".mark");
        bytes[at] ^= 1;
        File.WriteAllBytes(StorePath + ".mark", bytes);
        using IHostStore again = Open();
        Assert.Equal(reason, again.Load().Copy!.Reason);
    }

    [Fact]
    public void A_mark_is_for_its_owner_alone_and_has_a_cell_for_the_store_and_one_for_each_application()
    {
        using (IHostStore store = Open())
        {
            Must(store, new() { SlotEpoch = 1 });
        }

        string path = StorePath + ".mark";
        Assert.Equal(64, new FileInfo(path).Length);
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
        }
    }

    [Fact]
    public void A_store_opened_beside_its_host_leaves_the_mark_alone()
    {
        using IHostStore store = Open();
        using IHostStore beside = Open(new() { IsHost = false });
        Must(beside, new() { SlotEpoch = 1 });
        Assert.Null(beside.Load().Copy);
        Assert.Equal(0, new FileInfo(StorePath + ".mark").Length);
    }

    [Fact]
    public void Commits_are_flushed()
    {
        using var store = new SqliteHostStore(StorePath);
        Assert.Equal(2, store.Synchronous);
    }

    [Fact]
    public void The_log_is_written_ahead_and_flushed_to_the_disk_itself()
    {
        using SqliteDatabase database = StoreSchema.Open(Prepared(), 1_000, mayTakeOver: true);
        Assert.Equal("wal", database.Text("PRAGMA journal_mode"));
        Assert.Equal(2, database.Number("PRAGMA synchronous"));
        Assert.Equal(1, database.Number("PRAGMA fullfsync"));
        Assert.Equal(1, database.Number("PRAGMA checkpoint_fullfsync"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("-wal")]
    [InlineData("-shm")]
    [InlineData(".lock")]
    [InlineData(".mark")]
    public void No_file_of_a_store_is_opened_through_a_link(string suffix)
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Links take a right of their own on Windows, which does not follow them here.");
            return;
        }

        Prepared();
        string elsewhere = Path.Combine(_directory, "elsewhere");
        File.WriteAllText(elsewhere, "somebody else's");
        File.CreateSymbolicLink(StorePath + suffix, elsewhere);
        StoreException e = Assert.Throws<StoreException>(() => Open());
        Assert.Contains(StorePath + suffix, e.Message, StringComparison.Ordinal);
        Assert.Equal("somebody else's", File.ReadAllText(elsewhere));
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
    public void A_full_disk_refuses_the_batch_that_it_has_no_room_for_and_leaves_no_part_of_it()
    {
        string mount = Path.Combine(_directory, "small");
        using var disk = SmallDisk.MountOrSkip(mount, 1_024 * 1_024);
        ReleaseState shop = ReleaseState.Empty("shop");
        string path = Path.Combine(mount, "host.db");
        using (var store = new SqliteHostStore(path))
        {
            CreateShop(store);
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("a", "small")])] });
            ReleaseState before = shop;
            CommitResult result = Commit(store, new() { Releases = [Next(ref shop, 1, null, [("b", new string('x', 2_000_000))])] });
            Assert.Equal(StoreStatus.Full, result.Status);
            Assert.False(store.IsBroken);
            Assert.Equal(1, store.FullCount);
            // There is room for small ones.
            shop = before;
            Must(store, new() { Releases = [Next(ref shop, 1, null, [("c", "small")])] });
        }

        using var again = new SqliteHostStore(path);
        Assert.Equal(2UL, again.Load().Applications[0].Newest!.Release);
    }

    [Fact]
    public void A_mark_that_a_full_disk_does_not_take_is_written_whole_when_there_is_room()
    {
        string mount = Path.Combine(_directory, "small");
        using var disk = SmallDisk.MountOrSkip(mount, 1_024 * 1_024);
        string path = Path.Combine(mount, "host.db");
        using SqliteDatabase database = StoreSchema.Open(Path.Combine(_directory, "elsewhere.db"), 100, mayTakeOver: true);
        ReleaseState[] states = [.. Enumerable.Range(1, 200).Select(i => ReleaseState.Empty($"a{i}"))];
        using (var keeper = new StoreMarkKeeper(path, database))
        {
            keeper.Renew();
            keeper.OnDurable([new CommitBatch { SlotEpoch = 1 }]);
            disk.Fill();
            for (int i = 0; i < states.Length; i++)
            {
                keeper.OnDurable([new CommitBatch { Releases = [Next(ref states[i], (uint)i + 1, null, [("a", "1")])] }]);
            }

            Assert.Contains("cannot be read or written", keeper.Trouble, StringComparison.Ordinal);
            keeper.Flush();
            Assert.NotNull(keeper.Trouble);
            disk.MakeRoom();
            keeper.Flush();
            Assert.Null(keeper.Trouble);
        }

        using var file = new StoreMarkFile(path + ".mark");
        Assert.Equal((1u, states.Length), (file.Mark!.SlotEpoch, file.Mark.Releases.Count));
        Assert.Equal(states.Select(s => s.Id), file.Mark.Releases.Values.Select(r => r.Id));
    }

    [Fact]
    public void A_ballast_takes_a_mebibyte_and_at_most_half_of_a_small_disk()
    {
        using (var store = new SqliteHostStore(StorePath, new HostStoreOptions { PollMs = 20 }))
        {
            LetTimePass(() => File.Exists(StorePath + ".ballast") && new FileInfo(StorePath + ".ballast").Length == StoreBallast.BytesMax);
            Assert.Equal(StoreBallast.BytesMax, new FileInfo(StorePath + ".ballast").Length);
            using IHostStore beside = Open(new() { IsHost = false });
        }

        string mount = Path.Combine(_directory, "small");
        using var disk = SmallDisk.MountOrSkip(mount, 1_024 * 1_024);
        var ballast = new StoreBallast(Path.Combine(mount, "host.db"));
        ballast.Fill();
        ballast.Fill();
        Assert.InRange(new FileInfo(Path.Combine(mount, "host.db.ballast")).Length, 400_000, 600_000);
        Assert.True(ballast.TryRelease());
        Assert.False(ballast.TryRelease());
    }

    /// <summary>
    /// Commits that wait together, as one group, and how each ended. The store's thread is kept busy until all of them wait and the trouble
    /// is there.
    /// </summary>
    private static CommitResult[] CommitTogether(IHostStore store, int count, Action trouble)
    {
        CancellationToken cancel = TestContext.Current.CancellationToken;
        using var isBusy = new ManualResetEventSlim();
        using var mayGoOn = new ManualResetEventSlim();
        Assert.True(store.Commit(new(), _ =>
        {
            isBusy.Set();
            mayGoOn.Wait(TimeSpan.FromSeconds(60));
        }));
        Assert.True(isBusy.Wait(TimeSpan.FromSeconds(60), cancel));
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

    /// <summary>The path of a store that is not there yet, in a directory that is.</summary>
    private string Prepared()
    {
        Directory.CreateDirectory(_directory);
        return StorePath;
    }
}
