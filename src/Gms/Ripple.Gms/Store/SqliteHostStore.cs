using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// A store in one SQLite file: write-ahead log, synchronous=FULL, one thread. While the thread flushes, what arrives waits and becomes the
/// next group. Reads of a group come after its commits.
/// </summary>
internal sealed class SqliteHostStore : IHostStore
{
    // As much as SQLite merges at by itself; a commit changes some pages beside its values.
    private const long MergeBytes = 4 * 1_024 * 1_024;
    private const long CommitBytes = 32 * 1_024;

    private readonly string _path;
    private readonly HostStoreOptions _options;
    private readonly IDisposable? _hostLock;
    private readonly SqliteDatabase _database;
    private readonly SqliteReader _reader;
    private readonly SqliteGroup _group;
    private readonly StoreQueue _queue;
    private readonly Thread _thread;
    private readonly List<CommitWork> _commits = [];
    private long _unmergedBytes;
    private volatile string? _broken;
    private long _tokensVersion;
    private long _dataVersion;
    private long _polledMs;

    /// <summary>
    /// Opens the store, making what is missing. Throws <see cref="StoreException"/> when the file cannot be used,
    /// <see cref="StoreFormatException"/> when a later version wrote it, and the former when another host has it open.
    /// </summary>
    public SqliteHostStore(string path, HostStoreOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        _path = path;
        _options = options ?? new();
        StoreFiles.Prepare(path);
        _hostLock = _options.IsHost ? StoreFiles.Lock(path) : null;
        try
        {
            _database = StoreSchema.Open(path, _options.BusyTimeoutMs, mayTakeOver: _options.IsHost);
        }
        catch
        {
            _hostLock?.Dispose();
            throw;
        }

        if (_options.IsHost)
        {
            // By the one that wrote last, it would be that commit's publisher who waits.
            _database.Run("PRAGMA wal_autocheckpoint = 0");
        }

        _reader = new(_database);
        _group = new(_database);
        _queue = new(_options.QueueCountMax, _options.QueueBytesMax);
        Guarded(Poll);
        _thread = new(Work) { IsBackground = true, Name = "ripple-store" };
        _thread.Start();
    }

    /// <summary>Adds what a store with these options holds.</summary>
    public static void AddMemory(MemoryBudget budget, HostStoreOptions options)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(options);
        StoreQueue.AddMemory(budget, options);
        budget.Add(MemoryScope.Process, MemoryKind.Retained, "store: SQLite's pages", StoreSchema.PageCacheKib, 1_024);
    }

    /// <inheritdoc/>
    public bool IsBroken => _broken is not null;

    /// <inheritdoc/>
    public long TokensVersion => Volatile.Read(ref _tokensVersion);

    /// <inheritdoc/>
    public HostState Load()
    {
        using var ended = new ManualResetEventSlim();
        ReadResult<HostState> result = default;
        if (!_queue.TryAdd(new ReadWork<HostState>(r => r.Load(_options.PublishHorizonCount), r =>
        {
            result = r;
            ended.Set();
        })))
        {
            throw new StoreException($"The store '{_path}' is closed, or has too much waiting. Load it once, before anything else.");
        }

        ended.Wait();
        return result.Value ?? throw new StoreException(result.Reason!);
    }

    /// <inheritdoc/>
    public bool Commit(CommitBatch batch, Action<CommitResult> done)
    {
        ArgumentNullException.ThrowIfNull(batch);
        return _queue.TryAdd(new CommitWork(batch, done));
    }

    /// <inheritdoc/>
    public bool ReadReleases(uint topic, ulong fromRelease, int bytesMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        Read(r => r.Releases(topic, fromRelease, bytesMax), done);

    /// <inheritdoc/>
    public bool ReadBody(Digest160 digest, Action<ReadResult<ReadOnlyMemory<byte>?>> done) => Read(r => r.Body(digest), done);

    /// <inheritdoc/>
    public bool ReadHistory(uint topic, ulong beforeRelease, int countMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        Read(r => r.History(topic, beforeRelease, countMax), done);

    /// <inheritdoc/>
    public bool ReadState(uint topic, ulong release, Action<ReadResult<StateRecord?>> done) => Read(r => r.State(topic, release), done);

    /// <inheritdoc/>
    public bool ReadAudit(string? application, long beforeNumber, int countMax, Action<ReadResult<IReadOnlyList<AuditRecord>>> done) =>
        Read(r => r.Audit(application, beforeNumber, countMax), done);

    /// <inheritdoc/>
    public bool ReadTokens(Action<ReadResult<IReadOnlyList<AccessToken>>> done) => Read(r => r.Tokens(), done);

    /// <summary>What SQLite says its synchronous setting is: 2 (FULL), or commits are not durable. Blocks.</summary>
    public int ReadBackSynchronous()
    {
        using var ended = new ManualResetEventSlim();
        int value = -1;
        if (Read(_ => (int)_database.Number("PRAGMA synchronous"), r =>
        {
            value = r.Value;
            ended.Set();
        }))
        {
            ended.Wait();
        }

        return value;
    }

    /// <summary>Finishes what was taken, then closes the file. From a callback it returns before that.</summary>
    public void Dispose()
    {
        _queue.Close();
        if (Thread.CurrentThread != _thread)
        {
            _thread.Join();
        }
    }

    private bool Read<T>(Func<SqliteReader, T> read, Action<ReadResult<T>> done)
    {
        ArgumentNullException.ThrowIfNull(done);
        return _queue.TryAdd(new ReadWork<T>(read, done));
    }

    private void Work()
    {
        while (_queue.Take(_options.PollMs) is { } works)
        {
            Write(works);
            foreach (StoreWork work in works)
            {
                if (work is ReadWork read)
                {
                    Read(read);
                }

                work.Tell();
            }

            if (_options.IsHost && _unmergedBytes >= MergeBytes)
            {
                Guarded(Merge);
            }

            if (Environment.TickCount64 - _polledMs >= _options.PollMs)
            {
                Guarded(Poll);
            }
        }

        _database.Dispose();
        _hostLock?.Dispose();
        _queue.Dispose();
    }

    private void Write(IReadOnlyList<StoreWork> works)
    {
        _commits.Clear();
        _commits.AddRange(works.OfType<CommitWork>().Where(w => w.IsPending));
        if (_commits.Count == 0)
        {
            return;
        }

        if (Guarded(WriteCommits) is { } failure)
        {
            SqliteGroup.FailAll(_commits, failure.Status, failure.Reason);
        }
    }

    private void WriteCommits()
    {
        _group.Write(_commits);
        foreach (CommitWork commit in _commits)
        {
            _unmergedBytes += CommitBytes + commit.Bytes;
        }

        if (_commits.Any(c => c.IsPending && c.Batch.Tokens.Count > 0))
        {
            ReadTokensVersion();
        }
    }

    private void Read(ReadWork work)
    {
        if (Guarded(() => work.Read(_reader)) is { } failure)
        {
            work.Fail(failure.Status, failure.Reason);
        }
    }

    // Whatever the disk or the file does to us, we stop at the first of it: what was not confirmed is decided by opening the store again.
    private (StoreStatus Status, string Reason)? Guarded(Action action)
    {
        if (_broken is { } broken)
        {
            return (StoreStatus.Failed, broken);
        }

        try
        {
            action();
            return null;
        }
        catch (SqliteException e) when (e.IsBusy)
        {
            return (StoreStatus.Busy, $"Another process kept the store '{_path}' locked ({e.Message}). Try again.");
        }
        catch (Exception e) when (e is SqliteException or StoreException)
        {
            _broken = $"The store '{_path}' failed and takes nothing more until it is opened again: {e.Message}. "
                + $"Check the disk's space and health; restore a backup if opening fails too.";
            return (StoreStatus.Failed, _broken);
        }
    }

    /// <summary>Brings the write-ahead log into the file, once all are told: nobody waits for it but what comes meanwhile.</summary>
    private void Merge()
    {
        _unmergedBytes = 0;
        _database.Run("PRAGMA wal_checkpoint(PASSIVE)");
    }

    private void Poll()
    {
        _polledMs = Environment.TickCount64;
        long version = _database.Number("PRAGMA data_version");
        if (version != _dataVersion)
        {
            _dataVersion = version;
            ReadTokensVersion();
        }
    }

    private void ReadTokensVersion() => Volatile.Write(ref _tokensVersion, SqliteReader.Setting(_database, "tokens_version"));
}
