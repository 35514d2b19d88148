using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <summary>
/// A store that does what a test says, and else what the store within does: it takes nothing, answers that it is locked, refuses, fails for
/// good, or lets commits wait. Reads of the tokens and the load at a start pass through untouched: a test of a call is not a test of those.
/// </summary>
/// <param name="inner">The store that does the work.</param>
/// <param name="later">Runs an answer that a script gives: never within the call that asked.</param>
/// <param name="gate">Held while the store within is called; what calls back for it holds the same one.</param>
internal sealed class ScriptedStore(IHostStore inner, Action<Action> later, Lock? gate = null) : IHostStore
{
    private readonly Lock _gate = gate ?? new();
    private readonly Queue<CommitResult?> _commits = [];
    private readonly Queue<CommitResult?> _reads = [];
    private readonly Queue<Action> _held = [];
    private bool _isHolding;
    private StoreTrouble? _disk;
    private string? _reading;
    private StoreTrouble? _trouble;

    /// <summary>What the store within was given, in order.</summary>
    public List<CommitBatch> Passed { get; } = [];

    /// <summary>How many commits were asked for, also those that were not taken.</summary>
    public int CommitCount { get; private set; }

    /// <summary>How many reads were asked for, besides the tokens.</summary>
    public int ReadCount { get; private set; }

    public StoreTrouble? Trouble => _trouble ?? inner.Trouble;

    public bool IsBroken => Trouble is { Status: StoreStatus.Failed };

    public long TokensVersion => inner.TokensVersion;

    /// <summary>The next commit is taken and ends so; nothing of it is written.</summary>
    public void AnswerNextCommit(StoreStatus status, string reason) => _commits.Enqueue(new CommitResult(status, reason));

    /// <summary>The next commit finds the queue full.</summary>
    public void TakeNotNextCommit() => _commits.Enqueue(null);

    /// <summary>The next read ends so.</summary>
    public void AnswerNextRead(StoreStatus status, string reason) => _reads.Enqueue(new CommitResult(status, reason));

    /// <summary>The next read finds the queue full.</summary>
    public void TakeNotNextRead() => _reads.Enqueue(null);

    /// <summary>The disk fails: from now on every answer to a commit says so, and from the first such answer on the store.</summary>
    public void Break(string reason) => _disk = new StoreTrouble(StoreStatus.Failed, reason);

    /// <summary>The disk is full: from now on every answer to a commit says so.</summary>
    public void Fill(string reason) => _disk = new StoreTrouble(StoreStatus.Full, reason);

    /// <summary>The disk gives nothing: from now on every answer to a read says so.</summary>
    public void BreakReads(string reason) => _reading = reason;

    /// <summary>The disk works again, and has room.</summary>
    public void Mend() => _disk = _trouble = null;

    /// <summary>Commits are taken and wait.</summary>
    public void Hold() => _isHolding = true;

    /// <summary>What waited goes on, in order.</summary>
    public void LetGo()
    {
        _isHolding = false;
        while (_held.TryDequeue(out Action? commit))
        {
            commit();
        }
    }

    public HostState Load() => inner.Load();

    public bool Commit(CommitBatch batch, Action<CommitResult> done)
    {
        lock (_gate)
        {
            CommitCount++;
            CommitResult script = default;
            if (_disk is { } trouble)
            {
                _trouble = trouble;
                script = new CommitResult(trouble.Status, trouble.Reason);
            }
            else if (_commits.TryDequeue(out CommitResult? next))
            {
                if (next is not { } answer)
                {
                    return false;
                }

                script = answer;
            }

            if (!_isHolding)
            {
                return Finish(batch, script, done);
            }

            _held.Enqueue(() => Finish(batch, script, done));
            return true;
        }
    }

    public bool ReadReleases(uint topic, ulong fromRelease, int bytesMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        Read(done, d => inner.ReadReleases(topic, fromRelease, bytesMax, d));

    public bool ReadBody(uint topic, Digest160 digest, Action<ReadResult<ReadOnlyMemory<byte>?>> done) =>
        Read(done, d => inner.ReadBody(topic, digest, d));

    public bool ReadHistory(uint topic, ulong beforeRelease, int countMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
        Read(done, d => inner.ReadHistory(topic, beforeRelease, countMax, d));

    public bool ReadState(uint topic, ulong release, Action<ReadResult<ReleaseState?>> done) =>
        Read(done, d => inner.ReadState(topic, release, d));

    public bool ReadAudit(string? application, long beforeNumber, int countMax, Action<ReadResult<IReadOnlyList<AuditRecord>>> done) =>
        Read(done, d => inner.ReadAudit(application, beforeNumber, countMax, d));

    public bool ReadTokens(Action<ReadResult<IReadOnlyList<AccessToken>>> done)
    {
        lock (_gate)
        {
            return inner.ReadTokens(done);
        }
    }

    public bool ReadRevokedNodes(Action<ReadResult<IReadOnlyList<RevokedNode>>> done)
    {
        lock (_gate)
        {
            return inner.ReadRevokedNodes(done);
        }
    }

    public void Dispose() => inner.Dispose();

    private bool Finish(CommitBatch batch, CommitResult script, Action<CommitResult> done)
    {
        if (!script.IsDone)
        {
            later(() => done(script));
            return true;
        }

        Passed.Add(batch);
        return inner.Commit(batch, done);
    }

    private bool Read<T>(Action<ReadResult<T>> done, Func<Action<ReadResult<T>>, bool> read)
    {
        lock (_gate)
        {
            ReadCount++;
            if (_reading is { } reason)
            {
                later(() => done(new ReadResult<T>(StoreStatus.Failed, default, reason)));
                return true;
            }

            if (!_reads.TryDequeue(out CommitResult? script))
            {
                return read(done);
            }

            if (script is not { } answer)
            {
                return false;
            }

            later(() => done(new ReadResult<T>(answer.Status, default, answer.Reason)));
            return true;
        }
    }
}
