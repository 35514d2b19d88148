using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// A store in one SQLite file: write-ahead log, synchronous=FULL, one thread. Requests that arrive during a flush form the next group. A
/// group's reads run after its commits.
/// </summary>
internal sealed class SqliteHostStore : IHostStore
{
    // SQLite's own checkpoint threshold; a commit changes a few pages besides its values.
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
    /// Opens the store, creating missing files. Throws <see cref="StoreException"/> if the file cannot be used or another host has it open,
    /// and <see cref="StoreFormatException"/> if a later version wrote it.
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
            // An automatic checkpoint would run inside a commit and delay its publisher.
            _database.Run("PRAGMA wal_autocheckpoint = 0");
        }

        _reader = new(_database);
        _group = new(_database);
        _queue = new(_options.QueueCountMax, _options.QueueBytesMax);
        Guarded(Poll);
        _thread = new(Work) { IsBackground = true, Name = "ripple-store" };
        _thread.Start();
    }

    /// <summary>Adds the memory of a store with these options.</summary>
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

    /// <summary>SQLite's effective synchronous setting: 2 (FULL), otherwise commits are not durable. Blocks.</summary>
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

    /// <summary>Finishes the accepted work, then closes the file. Called from a callback, it returns before that.</summary>
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

    // Stop at the first error of disk or file: the fate of unconfirmed commits is known only after the store is opened again.
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

    /// <summary>Checkpoints the write-ahead log after all callbacks have run, so that only new requests wait for it.</summary>
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
