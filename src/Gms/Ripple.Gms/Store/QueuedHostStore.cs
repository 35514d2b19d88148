using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// A store whose work waits in queues. One thread commits; commits that arrive during a flush form the next group. One does short reads,
/// and one walks through what was, each over a connection of its own, so that nobody's token or value waits for somebody's history.
/// </summary>
internal abstract class QueuedHostStore : IHostStore
{
    /// <summary>For how many polls a store that found no room is told full at least.</summary>
    private const int FullPolls = 10;

    /// <summary>The most damages that are reported: a host that goes on would otherwise report each with every request.</summary>
    private const int ReportedDamagesMax = 1_000;

    private readonly HashSet<string> _reportedDamages = new(StringComparer.Ordinal);
    private readonly StoreQueue _queue;
    private readonly Thread _thread;
    private long _tokensVersion;
    private long _polledMs;

    /// <summary>Creates a store that does nothing before <see cref="Start"/>.</summary>
    protected QueuedHostStore(HostStoreOptions options)
    {
        Options = options;
        Condition = new StoreCondition(FullPolls * (long)options.PollMs);
        _queue = new(options.QueueCountMax, options.QueueBytesMax);
        _thread = new(Work) { IsBackground = true, Name = "ripple-store" };
    }

    /// <inheritdoc/>
    public StoreTrouble? Trouble => Condition.Trouble;

    /// <inheritdoc/>
    public bool IsBroken => Condition.Forbids is not null;

    /// <summary>
    /// What is wrong with what the host keeps beside the store to know it again, and serves on without; null if nothing is. Any thread.
    /// </summary>
    public abstract string? MarkTrouble { get; }

    /// <summary>Groups of commits that were not taken for want of room, since it was opened. Any thread.</summary>
    public long FullCount => Condition.FullCount;

    /// <summary>Groups of commits of which nobody knew whether they were written, since it was opened. Any thread.</summary>
    public long FailedCount => Condition.FailedCount;

    /// <inheritdoc/>
    public long TokensVersion
    {
        get => Volatile.Read(ref _tokensVersion);
        protected set => Volatile.Write(ref _tokensVersion, value);
    }

    protected HostStoreOptions Options { get; }

    protected StoreCondition Condition { get; }

    /// <summary>Short reads. Set by <see cref="Start"/>, like <see cref="Walks"/>.</summary>
    protected StoreReadQueue Reads { get; private set; } = null!;

    /// <summary>Reads through what was, which take long.</summary>
    protected StoreReadQueue Walks { get; private set; } = null!;

    /// <summary>Which store it is, for people: "store '/var/lib/ripple/ripple.db'".</summary>
    protected abstract string Name { get; }

    /// <summary>What the store is a copy of; null if it is none.</summary>
    protected abstract StoreCopy? Copy { get; }

    /// <inheritdoc/>
    public HostState Load()
    {
        using var ended = new ManualResetEventSlim();
        ReadResult<HostState> result = default;
        if (!Reads.TryAdd(0, r => r.Load(Options.PublishHorizonCount) with { Copy = Copy }, r =>
        {
            result = r;
            ended.Set();
        }))
        {
            throw new StoreException($"The {Name} is closed, or has too much waiting. Load it once, before anything else.");
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

        Reads.OnCommitRequested();
        Walks.OnCommitRequested();
        return true;
    }

    /// <inheritdoc/>
    public bool ReadReleases(uint topic, ulong fromRelease, int bytesMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        Reads.TryAdd(topic, r => r.Releases(topic, fromRelease, bytesMax), done);

    /// <inheritdoc/>
    public bool ReadBody(uint topic, Digest160 digest, Action<ReadResult<ReadOnlyMemory<byte>?>> done) =>
        Reads.TryAdd(topic, r => r.Body(topic, digest), done);

    /// <inheritdoc/>
    public bool ReadHistory(uint topic, ulong beforeRelease, int countMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        Walks.TryAdd(topic, r => r.History(topic, beforeRelease, countMax), done);

    /// <inheritdoc/>
    public bool ReadState(uint topic, ulong release, Action<ReadResult<ReleaseState?>> done) =>
        Walks.TryAdd(topic, r => r.State(topic, release), done);

    /// <inheritdoc/>
    public bool ReadAudit(string? application, long beforeNumber, int countMax, Action<ReadResult<IReadOnlyList<AuditRecord>>> done) =>
        Walks.TryAdd(0, r => r.Audit(application, beforeNumber, countMax), done);

    /// <inheritdoc/>
    public bool ReadTokens(Action<ReadResult<IReadOnlyList<AccessToken>>> done) => Reads.TryAdd(0, r => r.Tokens(), done);

    /// <inheritdoc/>
    public bool ReadRevokedNodes(Action<ReadResult<IReadOnlyList<RevokedNode>>> done) => Reads.TryAdd(0, r => r.RevokedNodes(), done);

    /// <summary>Finishes the accepted work, then closes the store. Called from a callback, it returns before that.</summary>
    public void Dispose()
    {
        Reads.Close();
        Walks.Close();
        _queue.Close();
        if (Thread.CurrentThread != _thread && !Reads.IsCurrentThread && !Walks.IsCurrentThread)
        {
            _thread.Join();
        }
    }

    /// <summary>Begins to work; called last by the constructor.</summary>
    protected void Start(IStoreConnection forReads, IStoreConnection forWalks)
    {
        Reads = new(forReads, "ripple-store-reads", Options.QueueCountMax, _queue.Wake);
        Walks = new(forWalks, "ripple-store-walks", Options.QueueCountMax, _queue.Wake);
        _thread.Start();
    }

    /// <summary>Writes commits that wait together, and sets the result of each that is not durable then. The thread that commits.</summary>
    protected abstract void Write(List<CommitWork> commits);

    /// <summary>The callbacks of a group have run: what is done now delays only new requests. The thread that commits.</summary>
    protected virtual void OnGroupEnded()
    {
    }

    /// <summary>Looks after the store, every <see cref="HostStoreOptions.PollMs"/>. The thread that commits.</summary>
    protected abstract void Poll();

    /// <summary>Closes the store; its reads have ended, and their connections are closed. The thread that commits.</summary>
    protected abstract void Close();

    /// <summary>Reports what was found damaged, once. Any thread.</summary>
    protected void ReportDamage(string damage)
    {
        bool isNew;
        lock (_reportedDamages)
        {
            isNew = _reportedDamages.Count < ReportedDamagesMax && _reportedDamages.Add(damage);
        }

        if (isNew)
        {
            Options.OnDamaged?.Invoke(damage);
        }
    }

    private void Work()
    {
        while (_queue.Take(Options.PollMs) is { } commits)
        {
            Write([.. commits.Where(c => c.IsPending)]);
            Reads.OnCommitsEnded(commits.Count);
            Walks.OnCommitsEnded(commits.Count);
            foreach (CommitWork commit in commits)
            {
                commit.Complete();
            }

            OnGroupEnded();
            if (Environment.TickCount64 - _polledMs >= Options.PollMs)
            {
                _polledMs = Environment.TickCount64;
                Poll();
            }
        }

        // Walks first, the writer last: who closes a file last merges its log.
        Walks.Dispose();
        Reads.Dispose();
        Close();
        _queue.Dispose();
    }
}
