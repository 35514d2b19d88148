using System.Collections.Immutable;
using Ripple.Engine.Frontier;

namespace Ripple.Engine.Releases;

/// <summary>
/// One application on one node: takes releases in any order and moves them, in release order, through the stages received, decided, applied
/// and persisted. A release is applied to all keys this node takes, or to none. Core thread.
/// </summary>
internal sealed partial class ApplicationReplica : IReleaseIntakeHandler
{
    private readonly IReplicaHandler _handler;
    private readonly Func<string, bool> _isWanted;
    private readonly bool _takesAll;
    private readonly int _stagedMax;
    private readonly ReleaseIntake _intake;
    private readonly Queue<VerifiedRelease> _staged = [];
    private readonly Queue<ApplicationState> _candidates = [];
    private readonly RejectionLog _rejections = new();
    private ApplicationState _received;
    private ApplicationState _applied;
    private ulong _persistedRelease;
    private uint _persistedGeneration;
    private bool _isFetching;
    private bool _isSnapshotUnderWay;
    private bool _isDeciding;
    private bool _isPersisting;
    private ReplicaSnapshot? _saved;
    private bool _isInBatch;
    private bool _haveLevelsMoved;
    private bool _mustPersist;
    private int _epoch;

    /// <summary>Makes a replica.</summary>
    /// <param name="application">The application's name.</param>
    /// <param name="restored">The verified state of an earlier run, in effect immediately; null for none.</param>
    /// <param name="isWanted">Which keys this node takes; all when null.</param>
    /// <param name="verifier">Verifies signatures.</param>
    /// <param name="handler">Receives the replica's events.</param>
    /// <param name="stagedMax">The most releases that wait for values, and the most candidates that wait for a decision.</param>
    public ApplicationReplica(
        string application,
        ReplicaSnapshot? restored,
        Func<string, bool>? isWanted,
        ISignatureVerifier verifier,
        IReplicaHandler handler,
        int stagedMax)
    {
        _stagedMax = stagedMax;
        Name = application;
        _handler = handler;
        _isWanted = isWanted ?? (_ => true);
        _takesAll = isWanted is null;
        _applied = restored?.Applied ?? ApplicationState.Empty(application);
        _received = restored?.Received ?? _applied;
        _persistedRelease = _received.Keys.Release;
        _persistedGeneration = _received.Keys.Generation;
        _intake = new ReleaseIntake(_received.Keys, verifier, this);
    }

    /// <summary>The application's name.</summary>
    public string Name { get; }

    /// <summary>Its number on the wire; 0 until a host has sent it.</summary>
    public uint Topic { get; set; }

    /// <summary>The state in effect.</summary>
    public ApplicationState Applied => _applied;

    /// <summary>The newest completely received state, in effect or not.</summary>
    public ApplicationState Received => _received;

    /// <summary>The chain's newest verified release.</summary>
    public ReleaseState Head => _intake.Head;

    /// <summary>Release numbers with messages that wait for a predecessor or a signature.</summary>
    public int PendingCount => _intake.PendingCount;

    /// <summary>Verified releases that wait for values, or for the release before them.</summary>
    public int StagedCount => _staged.Count;

    /// <summary>States that wait for a decision.</summary>
    public int CandidateCount => _candidates.Count;

    /// <summary>Recent rejections of the current generation, oldest first.</summary>
    public IReadOnlyList<RejectionRow> Rejections => _rejections.Rows;

    /// <summary>The newest rejected release, unless a later one was applied; 0 for none.</summary>
    public ulong RejectedRelease => _rejections.NewestRelease > AppliedRelease ? _rejections.NewestRelease : 0;

    /// <summary>This node's levels.</summary>
    public LevelRow Levels => new(Topic, _received.Keys.Generation, _received.Keys.Release, PersistedRelease, AppliedRelease);

    private ulong AppliedRelease => _applied.Keys.Generation == _received.Keys.Generation ? _applied.Keys.Release : 0;

    private ulong PersistedRelease => _persistedGeneration == _received.Keys.Generation ? _persistedRelease : 0;

    /// <summary>
    /// Submits the restored received state for decision if it was not in effect when saved: the cause of a rejection may have been fixed.
    /// </summary>
    public void Start()
    {
        if (!ReferenceEquals(_received, _applied))
        {
            _candidates.Enqueue(_received);
            Decide();
        }
    }

    /// <summary>Takes a release message from a stream or a catch-up. Nothing in it is trusted before a signature covers it.</summary>
    public void Offer(ReleaseMessage message)
    {
        if (_staged.Count >= _stagedMax)
        {
            _handler.OnBehind(this);
            return;
        }

        _intake.Offer(message);
    }

    void IReleaseIntakeHandler.OnBatchBegin() => _isInBatch = true;

    void IReleaseIntakeHandler.OnBatchEnd()
    {
        _isInBatch = false;
        if (_haveLevelsMoved)
        {
            OnLevelsMoved();
        }

        if (_mustPersist)
        {
            Persist();
        }
    }

    void IReleaseIntakeHandler.OnVerified(VerifiedRelease release)
    {
        _staged.Enqueue(release);
        Stage();
    }

    void IReleaseIntakeHandler.OnStuck() => _handler.OnBehind(this);

    void IReleaseIntakeHandler.OnForged(string what) => _handler.OnForged(this, what);

    /// <summary>Retries interrupted fetches; called after a reconnect.</summary>
    public void Retry()
    {
        _epoch++;
        _isFetching = false;
        if (_isSnapshotUnderWay)
        {
            // Its values were being fetched on a connection that is gone: start over from the received state.
            _isSnapshotUnderWay = false;
            _staged.Clear();
            _intake.Reset(_received.Keys);
        }

        Stage();
    }

    private void Stage()
    {
        while (!_isFetching && _staged.TryPeek(out VerifiedRelease? release))
        {
            if (release.Message.Header.PreviousId != _received.Keys.Id)
            {
                // A snapshot that leads to this release's predecessor is still under way.
                return;
            }

            int missing = FirstMissing(release);
            if (missing >= 0)
            {
                FetchBody(release, missing);
                return;
            }

            _staged.Dequeue();
            Receive(release);
        }
    }

    private int FirstMissing(VerifiedRelease release)
    {
        ImmutableArray<KeyChange> changes = release.Message.Header.Changes;
        for (int i = 0; i < changes.Length; i++)
        {
            if (changes[i].Operation == KeyOperation.Set && release.Bodies[i] is null && _isWanted(changes[i].Key))
            {
                return i;
            }
        }

        return -1;
    }

    private void FetchBody(VerifiedRelease release, int index)
    {
        _isFetching = true;
        int epoch = _epoch;
        KeyChange change = release.Message.Header.Changes[index];
        _received.Values.TryGetValue(change.Key, out ReadOnlyMemory<byte> previous);
        _handler.Fetch(this, change.Digest, change.Length, previous, bytes =>
        {
            if (epoch != _epoch)
            {
                return;
            }

            _isFetching = false;
            if (bytes is null)
            {
                _handler.OnBehind(this);
                return;
            }

            release.Bodies[index] = bytes;
            Stage();
        });
    }

    private void Receive(VerifiedRelease release)
    {
        SharedWork? shared = _takesAll ? release.Message.Shared : null;
        if (shared?.After(_received) is { } known && ReferenceEquals(known.Keys, release.Keys))
        {
            Advance(known);
            return;
        }

        ImmutableSortedDictionary<string, ReadOnlyMemory<byte>>.Builder values = _received.Values.ToBuilder();
        ImmutableArray<KeyChange> changes = release.Message.Header.Changes;
        for (int i = 0; i < changes.Length; i++)
        {
            if (changes[i].Operation == KeyOperation.Remove)
            {
                values.Remove(changes[i].Key);
            }
            else if (release.Bodies[i] is { } body && _isWanted(changes[i].Key))
            {
                values[changes[i].Key] = body;
            }
        }

        var next = new ApplicationState(release.Keys, values.ToImmutable(), release.Proof) { Trace = release.Message.Trace };
        if (ReferenceEquals(release.Bodies, shared?.Bodies))
        {
            shared?.SetAfter(_received, next);
        }
        else
        {
            shared?.OnFetched();
        }

        Advance(next);
    }

    private void Advance(ApplicationState state)
    {
        if (state.Keys.Generation != _received.Keys.Generation)
        {
            _rejections.Clear();
            _candidates.Clear();
        }

        _received = state;
        if (_candidates.Count == _stagedMax)
        {
            // Releases arrive faster than they are decided: only the newest matters.
            _candidates.Clear();
        }

        _candidates.Enqueue(state);
        OnLevelsMoved();
        Decide();
    }

    private void Decide()
    {
        if (_isDeciding || !_candidates.TryDequeue(out ApplicationState? candidate))
        {
            return;
        }

        _isDeciding = true;
        _handler.OnCandidate(this, candidate, reason => OnDecided(candidate, reason));
    }

    private void OnDecided(ApplicationState candidate, string? reason)
    {
        if (!_isDeciding)
        {
            throw new InvalidOperationException("A candidate was decided twice.");
        }

        _isDeciding = false;
        if (reason is null)
        {
            _applied = candidate;
            _handler.OnApplied(this, candidate);
        }
        else if (candidate.Keys.Generation == _received.Keys.Generation)
        {
            _rejections.Add(Topic, candidate.Keys.Generation, candidate.Keys.Release, reason);
        }

        OnLevelsMoved();
        Persist();
        Decide();
    }

    /// <summary>Called once per batch: the handler reads the levels current at that time.</summary>
    private void OnLevelsMoved()
    {
        _haveLevelsMoved = _isInBatch;
        if (!_isInBatch)
        {
            _handler.OnLevelsChanged(this);
        }
    }

    /// <summary>Saves what is not saved yet, after a save that failed.</summary>
    public void SaveAgain() => Persist();

    private void Persist()
    {
        _mustPersist = _isInBatch;
        if (_isInBatch)
        {
            return;
        }

        bool isSaved = _saved is { } saved && ReferenceEquals(saved.Applied, _applied) && ReferenceEquals(saved.Received, _received);
        if (_isPersisting || _applied.Proof is null || isSaved)
        {
            return;
        }

        var snapshot = new ReplicaSnapshot(_applied, _received);
        _isPersisting = _handler.TryPersist(this, snapshot, isSaved =>
        {
            _isPersisting = false;
            if (isSaved)
            {
                OnPersisted(snapshot);
                // Everything that changed meanwhile is written together, once.
                Persist();
            }
        });
    }

    private void OnPersisted(ReplicaSnapshot snapshot)
    {
        _saved = snapshot;
        _persistedGeneration = snapshot.Received.Keys.Generation;
        _persistedRelease = snapshot.Received.Keys.Release;
        OnLevelsMoved();
    }
}
