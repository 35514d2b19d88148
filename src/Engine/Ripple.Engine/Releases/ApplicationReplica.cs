using System.Collections.Immutable;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Releases;

/// <summary>
/// One application on one node: takes releases in any order, receives them in release order, and has the newest one decided, applied and
/// persisted; those that a newer one superseded meanwhile are not. A release is applied to all keys this node takes, or to none. Core
/// thread.
/// </summary>
internal sealed partial class ApplicationReplica : IReleaseIntakeHandler
{
    private readonly IReplicaHandler _handler;
    private readonly Func<string, bool> _isWanted;
    private readonly bool _takesAll;
    private readonly int _stagedMax;
    private readonly ReleaseIntake _intake;
    private readonly Queue<VerifiedRelease> _staged = [];
    private readonly CountedVerifier _verifier;
    private readonly RejectionLog _rejections;
    private ApplicationState _received;
    private ApplicationState _applied;
    private ulong _persistedRelease;
    private uint _persistedGeneration;
    private int _fetches;
    private bool _lacksValue;
    private bool _isInBatch;
    private bool _isTaking;
    private bool _haveLevelsMoved;
    private bool _mustPersist;
    private int _epoch;

    /// <summary>Makes a replica.</summary>
    /// <param name="application">The application's name.</param>
    /// <param name="restored">The verified state of an earlier run, in effect immediately; null for none.</param>
    /// <param name="isWanted">Which keys this node takes; all when null.</param>
    /// <param name="verifier">Verifies signatures.</param>
    /// <param name="handler">Receives the replica's events.</param>
    /// <param name="stagedMax">The most releases that wait for values.</param>
    /// <param name="isHeld">True where nobody can decide before <see cref="BeginDeciding"/>.</param>
    public ApplicationReplica(
        string application,
        ReplicaSnapshot? restored,
        Func<string, bool>? isWanted,
        ISignatureVerifier verifier,
        IReplicaHandler handler,
        int stagedMax,
        bool isHeld = false)
    {
        _stagedMax = stagedMax;
        Name = application;
        _handler = handler;
        _isWanted = isWanted ?? (_ => true);
        _takesAll = isWanted is null;
        _accepted = _applied = restored?.Applied ?? ApplicationState.Empty(application);
        _received = restored?.Received ?? _applied;
        _rejections = new RejectionLog(restored?.Rejections);
        _isHeld = _isUnjudged = isHeld;
        _persistedRelease = _received.Keys.Release;
        _persistedGeneration = _received.Keys.Generation;
        _verifier = new CountedVerifier(verifier, OnVerified);
        _intake = new ReleaseIntake(_received.Keys, _verifier, this);
    }

    /// <summary>The application's name.</summary>
    public string Name { get; }

    /// <summary>Its number on the wire; 0 until a host has sent it.</summary>
    public uint Topic
    {
        get;
        set
        {
            field = value;
            _rejections.SetTopic(value);
        }
    }

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

    /// <summary>Whether the newest verified release is only short of values, which are being fetched.</summary>
    public bool IsFetchingHead => _fetches > 0 && _snapshot is null && PendingCount == 0;

    /// <summary>States that wait for a decision: the newest received one, or none.</summary>
    public int CandidateCount => _mustDecide ? 1 : 0;

    /// <summary>Recent rejections of the current generation, oldest first.</summary>
    public IReadOnlyList<RejectionRow> Rejections => _rejections.Rows;

    /// <summary>The newest rejected release, unless a later one was applied; 0 for none.</summary>
    public ulong RejectedRelease => _rejections.NewestRelease > AppliedRelease ? _rejections.NewestRelease : 0;

    /// <summary>The rejection that stands: of a release newer than the one in effect, told to others or not; null for none.</summary>
    public RejectionRow? Standing => _rejections.Kept.LastOrDefault(r => r.Release > AppliedRelease);

    /// <summary>This node's levels.</summary>
    public LevelRow Levels => new(Topic, _received.Keys.Generation, _received.Keys.Release, PersistedRelease, AppliedRelease);

    private ulong AppliedRelease =>
        _applied.Keys.Generation == _received.Keys.Generation && !_isUnjudged ? _applied.Keys.Release : 0;

    private ulong PersistedRelease => _persistedGeneration == _received.Keys.Generation ? _persistedRelease : 0;

    /// <summary>Takes a release message from a stream or a catch-up. Nothing in it is trusted before a signature covers it.</summary>
    /// <param name="message">The message.</param>
    /// <param name="isFromHost">Whether the host said it over its own connection: such a message gets room before others.</param>
    /// <param name="sealer">The member that sealed the packet which completed it; null if that was the host, or none did.</param>
    public void Offer(ReleaseMessage message, bool isFromHost, NodeId? sealer = null)
    {
        if (isFromHost && IsFromBefore(message.Header))
        {
            StartOver();
        }

        if (_staged.Count >= _stagedMax)
        {
            _handler.OnBehind(this);
            return;
        }

        // What it lets others follow is taken in the same call: nothing is decided in between.
        ApplicationState before = _received;
        bool didWait = _mustDecide;
        _isTaking = true;
        _intake.Offer(message, isFromHost, sealer);
        _isTaking = false;
        _waited += didWait && !ReferenceEquals(before, _received) ? 1 : 0;
        Decide();
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

        Decide();
    }

    void IReleaseIntakeHandler.OnVerified(VerifiedRelease release)
    {
        _staged.Enqueue(release);
        Stage();
    }

    void IReleaseIntakeHandler.OnStuck() => _handler.OnBehind(this);

    void IReleaseIntakeHandler.OnRefused(IntakeRefusal refusal) => _handler.OnRefused(this, refusal);

    /// <summary>Retries interrupted fetches; called after a reconnect.</summary>
    public void Retry()
    {
        _epoch++;
        _fetches = 0;
        foreach (VerifiedRelease release in _staged)
        {
            // The stream of this connection begins behind them.
            release.IsFromStream = false;
        }

        if (_snapshot is not null)
        {
            // Its values were being fetched on a connection that is gone, maybe from a host that has others.
            StartOver();
        }

        Stage();
        Decide();
    }

    /// <summary>Asks again for values that were unavailable, on the same connection.</summary>
    public void FetchAgain()
    {
        _snapshot?.TryAgain();
        FetchSnapshot();
        Stage();
        FetchPastAgain();
    }

    /// <summary>
    /// Whether the host tells of a generation that began before what waits here for values: that is none of the host's any more, and will
    /// not be brought.
    /// </summary>
    private bool IsFromBefore(ReleaseHeader header) =>
        header.Generation > Head.Generation && header.Release <= Head.Release && header.Release > _received.Keys.Release;

    /// <summary>Goes back to the received state. What came for a snapshot is kept for the next one.</summary>
    private void StartOver()
    {
        _epoch++;
        _fetches = 0;
        _lacksValue = false;
        _givenUp = _snapshot ?? _givenUp;
        _snapshot = null;
        _staged.Clear();
        _intake.Reset(_received.Keys);
    }

    private void Stage()
    {
        while (_fetches == 0 && _staged.TryPeek(out VerifiedRelease? release))
        {
            if (release.Message.Header.PreviousId != _received.Keys.Id)
            {
                // A snapshot that leads to this release's predecessor is still under way.
                return;
            }

            MakeValues(release);
            int missing = FirstMissing(release);
            if (missing >= 0)
            {
                FetchBodies(release, missing);
                return;
            }

            _staged.Dequeue();
            Receive(release);
        }
    }

    private int FirstMissing(VerifiedRelease release)
    {
        for (int i = 0; i < release.Bodies.Length; i++)
        {
            if (IsMissing(release, i))
            {
                return i;
            }
        }

        return -1;
    }

    private bool IsMissing(VerifiedRelease release, int index)
    {
        KeyChange change = release.Message.Header.Changes[index];
        return change.Operation == KeyOperation.Set && release.Bodies[index] is null && _isWanted(change.Key);
    }

    /// <summary>
    /// Fetches the first missing value. Those that follow in the stream are waited for together: they come in any order, and what nobody
    /// waits for is not kept for long.
    /// </summary>
    private void FetchBodies(VerifiedRelease release, int first)
    {
        ImmutableArray<KeyChange> changes = release.Message.Header.Changes;
        int[] wanted = IsStreamed(release, first)
            ? [.. Enumerable.Range(first, changes.Length - first)
                .Where(i => IsStreamed(release, i) && IsMissing(release, i)).DistinctBy(i => changes[i].Digest)]
            : [first];
        int epoch = _epoch;
        _fetches = wanted.Length;
        (KeyChange Change, string? Refusal)? lacking = null;
        foreach (KeyChange change in wanted.Select(i => changes[i]))
        {
            _received.Values.TryGetValue(change.Key, out ReadOnlyMemory<byte> previous);
            _handler.Fetch(this, new WantedValue(change.Digest, change.Length, previous, IsStreamed(release, first)), fetched =>
            {
                if (epoch == _epoch)
                {
                    lacking = fetched.Bytes is null ? (change, fetched.Refusal) : lacking;
                    OnFetched(release, change.Digest, fetched.Bytes, lacking);
                }
            });
        }
    }

    private static bool IsStreamed(VerifiedRelease release, int index) =>
        release.IsFromStream && release.Message.Streamed?[index] == true;

    private void OnFetched(
        VerifiedRelease release, Digest160 digest, ReadOnlyMemory<byte>? bytes, (KeyChange Change, string? Refusal)? lacking)
    {
        for (int i = 0; i < release.Bodies.Length && bytes is not null; i++)
        {
            // One value of several keys comes once.
            KeyChange change = release.Message.Header.Changes[i];
            release.Bodies[i] = change.Operation == KeyOperation.Set && change.Digest == digest ? bytes : release.Bodies[i];
        }

        if (--_fetches > 0)
        {
            return;
        }

        _lacksValue = lacking is not null;
        if (lacking is { } missing)
        {
            release.IsFromStream = false;
            OnMissing(release.Message.Header.Release, missing.Change.Key, missing.Change.Digest, missing.Refusal);
        }
        else
        {
            Stage();
        }
    }

    private void OnMissing(ulong release, string key, Digest160 digest, string? refusal)
    {
        if (refusal is not null)
        {
            _handler.OnRefused(this, new IntakeRefusal($"a value: {refusal}", release, key, digest));
        }

        _handler.OnMissing(this, new IntakeRefusal("a value that the host does not have", release, key, digest));
        // A newer snapshot may do without it.
        _handler.OnBehind(this);
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
            _tried.Clear();
        }

        EndSearch();
        _received = state;
        _givenUp = null;
        _waited += _mustDecide && !IsTaking ? 1 : 0;
        _mustDecide = true;
        _handler.OnReceived(this, state);
        OnLevelsMoved();
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
}
