using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// A store in a PostgreSQL database. One thread commits over one session; commits that arrive during a commit form the next group. One does
/// short reads, and one walks through what was, each over a session of its own, so that nobody's token or value waits for somebody's
/// history.
/// </summary>
internal sealed class PostgresHostStore : IHostStore
{
    /// <summary>For how many polls a store that found no room is told full at least.</summary>
    private const int FullPolls = 10;

    /// <summary>The most damages that are told: a host that served on would tell each with every request.</summary>
    private const int ToldDamagesMax = 1_000;

    private const int SessionBytes = 256 * 1_024;

    private readonly PostgresAddress _address;
    private readonly HostStoreOptions _options;
    private readonly HashSet<string> _toldDamages = new(StringComparer.Ordinal);
    private readonly IDisposable? _hostLock;
    private readonly PostgresCommitter _committer;
    private readonly PostgresReadQueue _reads;
    private readonly PostgresReadQueue _walks;
    private readonly StoreCondition _condition;
    private readonly StoreQueue _queue;
    private readonly Thread _thread;
    private long _tokensVersion;
    private long _polledMs;

    /// <summary>Opens the store, and makes it in a database that has none, for a host.</summary>
    /// <param name="address">The database.</param>
    /// <param name="markPath">
    /// The path, without endings, of the files in which this host keeps what it saw of the database. Not used beside a host.
    /// </param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="StoreException">The database cannot be used, or another host has it open.</exception>
    /// <exception cref="StoreFormatException">A later version wrote it.</exception>
    public PostgresHostStore(PostgresAddress address, string markPath, HostStoreOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentException.ThrowIfNullOrEmpty(markPath);
        _address = address;
        _options = options ?? new();
        _condition = new StoreCondition(FullPolls * (long)_options.PollMs);
        _hostLock = _options.IsHost ? LockMark(markPath) : null;
        try
        {
            _committer = new PostgresCommitter(address, _options.IsHost ? markPath : null, _options);
        }
        catch
        {
            _hostLock?.Dispose();
            throw;
        }

        _tokensVersion = _committer.TokensVersion;
        _queue = new(_options.QueueCountMax, _options.QueueBytesMax);
        _reads = new(_address, () => OpenForReads("ripple-reads"), "ripple-store-reads", _options.QueueCountMax, Tell);
        _walks = new(_address, () => OpenForReads("ripple-walks"), "ripple-store-walks", _options.QueueCountMax, Tell);
        _thread = new(Work) { IsBackground = true, Name = "ripple-store" };
        _thread.Start();
    }

    /// <summary>Adds the memory of a store with these options.</summary>
    public static void AddMemory(MemoryBudget budget, HostStoreOptions options)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(options);
        StoreQueue.AddMemory(budget, options);
        budget.Add(MemoryScope.Process, MemoryKind.Retained, "store: sessions of the database", 3, SessionBytes);
    }

    /// <inheritdoc/>
    public StoreTrouble? Trouble => _condition.Trouble;

    /// <inheritdoc/>
    public bool IsBroken => _condition.Forbids is not null;

    /// <summary>What is wrong with what the host keeps of the database, which it serves on without; null if nothing. Any thread.</summary>
    public string? MarkTrouble => _committer.MarkTrouble;

    /// <summary>Groups of commits that the database did not take, since it was opened. Any thread.</summary>
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
        if (!_reads.TryAdd(0, r => r.Load(_options.PublishHorizonCount) with { Copy = _committer.Copy }, r =>
        {
            result = r;
            ended.Set();
        }))
        {
            throw new StoreException($"The store in {_address} is closed, or has too much waiting. Load it once, before anything else.");
        }

        ended.Wait();
        return result.Value ?? throw new StoreException(result.Reason!);
    }

    /// <inheritdoc/>
    public bool Commit(CommitBatch batch, Action<CommitResult> done)
    {
        ArgumentNullException.ThrowIfNull(batch);
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

    /// <summary>Finishes the accepted work, then disconnects. Called from a callback, it returns before that.</summary>
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

    /// <summary>The mark is of one host: a second one in its directory is refused before it asks the database.</summary>
    private static IDisposable LockMark(string markPath)
    {
        try
        {
            string directory = Path.GetDirectoryName(Path.GetFullPath(markPath))!;
            if (OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(directory);
            }
            else
            {
                // Made as for a store in a file: keys will lie in it.
                Directory.CreateDirectory(directory, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new StoreException(
                $"The directory of '{markPath}' cannot be made ({e.Message}). Give a path that this user may write.", e);
        }

        return StoreFiles.Lock(markPath);
    }

    private PostgresSession OpenForReads(string name) =>
        PostgresSession.Open(_address, name, _options.BusyTimeoutMs, isReadOnly: true);

    private void Work()
    {
        while (_queue.Take(_options.PollMs) is { } works)
        {
            List<CommitWork> commits = [.. works.OfType<CommitWork>()];
            Write(commits);
            _reads.OnCommitsEnded(commits.Count);
            _walks.OnCommitsEnded(commits.Count);
            foreach (StoreWork work in works)
            {
                work.Complete();
            }

            if (Environment.TickCount64 - _polledMs >= _options.PollMs)
            {
                Poll();
            }
        }

        _walks.Dispose();
        _reads.Dispose();
        _committer.Dispose();
        _hostLock?.Dispose();
        _queue.Dispose();
    }

    /// <summary>
    /// Writes what waits: all of it together, but a history is shortened in a transaction of its own, which takes its time.
    /// </summary>
    private void Write(List<CommitWork> commits)
    {
        var together = new List<CommitWork>();
        foreach (CommitWork commit in commits.Where(c => c.IsPending))
        {
            if (commit.Batch.Prunings.Count > 0)
            {
                WriteGroup(together);
                together.Clear();
                WriteGroup([commit]);
            }
            else
            {
                together.Add(commit);
            }
        }

        WriteGroup(together);
    }

    private void WriteGroup(List<CommitWork> group)
    {
        if (group.Count == 0)
        {
            return;
        }

        if (_condition.Forbids is { } forbids)
        {
            SqliteGroup.FailAll(group, forbids.Status, forbids.Reason);
        }
        else if (_committer.Write([.. group]) is { } trouble)
        {
            _condition.OnTrouble(trouble);
        }
        else
        {
            _condition.OnTaken();
            Volatile.Write(ref _tokensVersion, Math.Max(_tokensVersion, _committer.TokensVersion));
        }
    }

    private void Poll()
    {
        _polledMs = Environment.TickCount64;
        if (_condition.MustProbe)
        {
            if (_committer.Probe() is not { } trouble)
            {
                _condition.OnTaken();
            }
            else if (!trouble.MayPass)
            {
                _condition.OnTrouble(trouble);
            }
        }

        if (_condition.Forbids is null && _committer.ReadTokensVersion() is { } version)
        {
            Volatile.Write(ref _tokensVersion, version);
        }

        _committer.Flush();
    }

    private void Tell(string damage)
    {
        bool isNew;
        lock (_toldDamages)
        {
            isNew = _toldDamages.Count < ToldDamagesMax && _toldDamages.Add(damage);
        }

        if (isNew)
        {
            _options.OnDamaged?.Invoke(damage);
        }
    }
}
