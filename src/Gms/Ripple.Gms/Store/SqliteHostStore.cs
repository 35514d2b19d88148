using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// A store in one SQLite file: write-ahead log, synchronous=FULL. One thread commits; commits that arrive during a flush form the next
/// group. One does short reads, and one walks through what was, so that nobody's token or value waits for somebody's history.
/// </summary>
internal sealed partial class SqliteHostStore : IHostStore
{
    // SQLite's own checkpoint threshold; a commit changes a few pages besides its values.
    private const long MergeBytes = 4 * 1_024 * 1_024;
    private const long CommitBytes = 32 * 1_024;

    /// <summary>For how many polls a store that found no room is told full at least.</summary>
    private const int FullPolls = 10;

    /// <summary>The most damages that are reported: a host that goes on would otherwise report each with every request.</summary>
    private const int ReportedDamagesMax = 1_000;

    private readonly string _path;
    private readonly HashSet<string> _reportedDamages = new(StringComparer.Ordinal);
    private readonly HostStoreOptions _options;
    private readonly IDisposable? _hostLock;
    private readonly SqliteDatabase _database;
    private readonly SqliteReadQueue _reads;
    private readonly SqliteReadQueue _walks;
    private readonly SqliteGroup _group;
    private readonly StoreMarkKeeper? _mark;
    private readonly StoreBallast? _ballast;
    private readonly StoreCondition _condition;
    private readonly StoreQueue _queue;
    private readonly Thread _thread;
    private readonly List<CommitWork> _commits = [];
    private long _unmergedBytes;
    private long _logBytes;
    private volatile StoreSpace _space = new(0, 0, -1);
    private long _tokensVersion;
    private long _dataVersion;
    private long _polledMs;

    /// <summary>
    /// Opens the store, creating missing files. Throws <see cref="StoreException"/> if the file cannot be used or another host has it open,
    /// and <see cref="StoreFormatException"/> if a later version wrote it.
    /// </summary>
    public SqliteHostStore(string path, HostStoreOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        _path = path;
        _options = options ?? new();
        _condition = new StoreCondition(FullPolls * (long)_options.PollMs);
        StoreFiles.Prepare(path);
        _hostLock = _options.IsHost ? StoreFiles.Lock(path) : null;
        _ballast = _options.IsHost ? new StoreBallast(path) : null;
        _ballast?.ReleaseIfShort();
        SqliteDatabase forReads;
        SqliteDatabase forWalks;
        try
        {
            (_database, forReads, forWalks, _mark) = OpenParts();
        }
        catch
        {
            _hostLock?.Dispose();
            throw;
        }

        if (_options.IsHost)
        {
            // An automatic checkpoint would run inside a commit and delay its publisher.
            _database.Run("PRAGMA wal_autocheckpoint = 0");
        }

        _group = new(_database, _mark, _options.PublishHorizonCount);
        _queue = new(_options.QueueCountMax, _options.QueueBytesMax);
        _reads = new(forReads, "ripple-store-reads", _options.QueueCountMax, GuardedRead, _queue.Wake);
        _walks = new(forWalks, "ripple-store-walks", _options.QueueCountMax, GuardedRead, _queue.Wake);
        Try(Poll);
        _thread = new(Work) { IsBackground = true, Name = "ripple-store" };
        _thread.Start();
    }

    /// <summary>Adds the memory of a store with these options.</summary>
    public static void AddMemory(MemoryBudget budget, HostStoreOptions options)
    {
        StoreQueue.AddMemory(budget, options);
        budget.Add(MemoryScope.Process, MemoryKind.Retained, "store: SQLite's pages", StoreSchema.PageCacheKib, 1_024);
        SqliteReadQueue.AddMemory(budget, count: 2);
    }

    /// <inheritdoc/>
    public StoreTrouble? Trouble => _condition.Trouble;

    /// <inheritdoc/>
    public bool IsBroken => _condition.Forbids is not null;

    /// <summary>What is wrong with the mark, which the host serves on without; null if nothing is. Any thread.</summary>
    public string? MarkTrouble => _mark?.Trouble;

    /// <summary>How much room it takes and has; at most a second old, or as long as the thread is in one commit. Any thread.</summary>
    public StoreSpace Space => _space;

    /// <summary>Groups of commits that found no room, since it was opened. Any thread.</summary>
    public long FullCount => _condition.FullCount;

    /// <summary>Groups of commits of which nobody knew whether they were written, since it was opened. Any thread.</summary>
    public long FailedCount => _condition.FailedCount;

    /// <inheritdoc/>
    public long TokensVersion => Volatile.Read(ref _tokensVersion);

    /// <inheritdoc/>
    public HostState Load()
    {
        using var ended = new ManualResetEventSlim();
        ReadResult<HostState> result = default;
        if (!_reads.TryAdd(0, r => r.Load(_options.PublishHorizonCount) with { Copy = _mark?.Copy }, r =>
        {
            result = r;
            ended.Set();
        }))
        {
            throw new StoreException($"The store '{_path}' is closed, or has too much waiting. Load it once, before anything else.");
        }

        ended.Wait();
        return result.Value ?? throw new StoreException(result.Reason!);
    }

    /// <inheritdoc/>
    public bool Commit(CommitBatch batch, Action<CommitResult> done)
    {
        if (!_queue.TryAdd(new CommitWork(batch, done)))
        {
            return false;
        }

        _reads.OnCommitRequested();
        _walks.OnCommitRequested();
        return true;
    }

    /// <inheritdoc/>
    public bool ReadReleases(uint topic, ulong fromRelease, int bytesMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        _reads.TryAdd(topic, r => r.Releases(topic, fromRelease, bytesMax), done);

    /// <inheritdoc/>
    public bool ReadBody(uint topic, Digest160 digest, Action<ReadResult<ReadOnlyMemory<byte>?>> done) =>
        _reads.TryAdd(topic, r => r.Body(topic, digest), done);

    /// <inheritdoc/>
    public bool ReadHistory(uint topic, ulong beforeRelease, int countMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        _walks.TryAdd(topic, r => r.History(topic, beforeRelease, countMax), done);

    /// <inheritdoc/>
    public bool ReadState(uint topic, ulong release, Action<ReadResult<ReleaseState?>> done) =>
        _walks.TryAdd(topic, r => r.State(topic, release), done);

    /// <inheritdoc/>
    public bool ReadAudit(string? application, long beforeNumber, int countMax, Action<ReadResult<IReadOnlyList<AuditRecord>>> done) =>
        _walks.TryAdd(0, r => r.Audit(application, beforeNumber, countMax), done);

    /// <inheritdoc/>
    public bool ReadTokens(Action<ReadResult<IReadOnlyList<AccessToken>>> done) => _reads.TryAdd(0, r => r.Tokens(), done);

    /// <inheritdoc/>
    public bool ReadRevokedNodes(Action<ReadResult<IReadOnlyList<RevokedNode>>> done) =>
        _reads.TryAdd(0, r => r.RevokedNodes(), done);

    /// <summary>SQLite's effective synchronous setting: 2 (FULL), otherwise commits are not durable. Blocks.</summary>
    public int ReadBackSynchronous()
    {
        using var ended = new ManualResetEventSlim();
        int value = -1;
        // On the thread that commits: the setting is its connection's.
        if (_queue.TryAdd(new ReadWork<int>(_ => (int)_database.Number("PRAGMA synchronous"), r =>
        {
            value = r.Value;
            ended.Set();
        })))
        {
            ended.Wait();
        }

        return value;
    }

    /// <summary>Finishes the accepted work, then closes the file. Called from a callback, it returns before that.</summary>
    public void Dispose()
    {
        _reads.Close();
        _walks.Close();
        _queue.Close();
        if (Thread.CurrentThread != _thread && !_reads.IsCurrentThread && !_walks.IsCurrentThread)
        {
            _thread.Join();
        }
    }

    /// <summary>Opens the parts; where that fails, once more with the room of the ballast.</summary>
    private (SqliteDatabase Database, SqliteDatabase ForReads, SqliteDatabase ForWalks, StoreMarkKeeper? Mark) OpenParts()
    {
        while (true)
        {
            SqliteDatabase? database = null;
            SqliteDatabase? forReads = null;
            SqliteDatabase? forWalks = null;
            try
            {
                database = StoreSchema.Open(_path, _options.BusyTimeoutMs, mayTakeOver: _options.IsHost);
                forReads = StoreSchema.OpenForReads(_path, _options.BusyTimeoutMs);
                forWalks = StoreSchema.OpenForReads(_path, _options.BusyTimeoutMs);
                return (database, forReads, forWalks, _options.IsHost ? OpenMark(database) : null);
            }
            catch (StoreException) when (TryEndOpening())
            {
                // There was a ballast.
            }
            catch
            {
                Close();
                throw;
            }

            bool TryEndOpening()
            {
                if (_ballast?.TryRelease() != true)
                {
                    return false;
                }

                Close();
                return true;
            }

            void Close()
            {
                forWalks?.Dispose();
                forReads?.Dispose();
                database?.Dispose();
            }
        }
    }

    private StoreMarkKeeper OpenMark(SqliteDatabase database)
    {
        try
        {
            return new StoreMarkKeeper(_path, database);
        }
        catch (SqliteException e)
        {
            throw StoreSchema.Unreadable(_path, e);
        }
    }

    /// <summary>Does what is done again later if it does not succeed.</summary>
    private static void Try(Action action)
    {
        try
        {
            action();
        }
        catch (SqliteException)
        {
            // Another process has a lock, or the disk failed: the next commit tells.
        }
    }

    /// <summary>Runs a read, on a thread of reads; returns what failed, if anything. A read that fails breaks nothing else.</summary>
    private (StoreStatus Status, string Reason)? GuardedRead(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (SqliteException e) when (e.IsBusy)
        {
            return (StoreStatus.Busy, $"Another process kept the store '{_path}' locked ({e.Message}). Try again.");
        }
        catch (StoreDamageException e)
        {
            Tell(e.Message);
            return (StoreStatus.Damaged, e.Message);
        }
        catch (Exception e) when (e is SqliteException or StoreException)
        {
            string reason = $"The store '{_path}' cannot be read: {e.Message}. Check the disk; restore a backup if it stays.";
            Tell(reason);
            return (StoreStatus.Failed, reason);
        }
    }

    private void Tell(string damage)
    {
        bool isNew;
        lock (_reportedDamages)
        {
            isNew = _reportedDamages.Count < ReportedDamagesMax && _reportedDamages.Add(damage);
        }

        if (isNew)
        {
            _options.OnDamaged?.Invoke(damage);
        }
    }
}
