namespace Ripple.Engine.Releases;

/// <summary>Receives the events and requests of a replica. Core thread.</summary>
internal interface IReplicaHandler
{
    /// <summary>
    /// A release has been received completely. <paramref name="decide"/> must be called once, on the core thread, now or later: null
    /// accepts, a text rejects with that reason. The next candidate follows after the decision, and is the newest release by then; those
    /// that were superseded are never candidates.
    /// </summary>
    void OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide);

    /// <summary>A newer state is whole here: it is decided later, or superseded before.</summary>
    void OnReceived(ApplicationReplica replica, ApplicationState state)
    {
        // Most handlers only follow what is decided.
    }

    /// <summary>A state took effect.</summary>
    void OnApplied(ApplicationReplica replica, ApplicationState state);

    /// <summary>A level changed or a release was rejected: the ring and direct reports need to know.</summary>
    void OnLevelsChanged(ApplicationReplica replica);

    /// <summary>The stream alone cannot advance the chain: catch up through a host.</summary>
    void OnBehind(ApplicationReplica replica);

    /// <summary>Data received for the application was not released by the primary.</summary>
    void OnRefused(ApplicationReplica replica, IntakeRefusal refusal);

    /// <summary>
    /// A value was unavailable: <see cref="ApplicationReplica.FetchAgain"/> is to be called after a while, if the connection lives.
    /// </summary>
    void OnMissing(ApplicationReplica replica, IntakeRefusal missing);

    /// <summary>
    /// Asks the host for a past state, one at a time; false if it cannot be asked now. It is answered by
    /// <see cref="ApplicationReplica.OfferPast"/> and then <see cref="ApplicationReplica.OnPastEnd"/>, or not, if the connection is lost
    /// (<see cref="ApplicationReplica.OnHostLost"/>).
    /// </summary>
    bool TryAskPast(ApplicationReplica replica, PastQuestion question) => false;

    /// <summary>
    /// The host is too busy to send a past state: <see cref="ApplicationReplica.SearchAgain"/> is to be called after a while.
    /// </summary>
    void OnPastBusy(ApplicationReplica replica)
    {
        // Only handlers that ask for past states need it.
    }

    /// <summary>No past state is accepted either: nothing is in effect until a newer release is.</summary>
    void OnSearchEnded(ApplicationReplica replica)
    {
        // Most handlers only follow what is in effect.
    }

    /// <summary>
    /// Fetches a value. <paramref name="done"/> gets verified bytes, or none when the value is unavailable now. Without a connection it may
    /// never be called: the replica retries after the next join.
    /// </summary>
    void Fetch(ApplicationReplica replica, in WantedValue wanted, Action<FetchedValue> done);

    /// <summary>
    /// Saves a snapshot; <paramref name="done"/> runs later on the core thread and says whether it is on disk. False when this node does
    /// not save states; <paramref name="done"/> is not called then.
    /// </summary>
    bool TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done);
}

/// <summary>A value that a verified header names.</summary>
/// <param name="Digest">Its digest.</param>
/// <param name="Length">Its length in bytes.</param>
/// <param name="Previous">The value of its key before, whose chunks may serve again; empty for none.</param>
/// <param name="IsStreamed">Whether its release came by the stream and says that the value follows there.</param>
internal readonly record struct WantedValue(
    Digest160 Digest, int Length, ReadOnlyMemory<byte> Previous = default, bool IsStreamed = false);

/// <summary>What came of fetching a value.</summary>
/// <param name="Bytes">The value, verified; null when it is unavailable now.</param>
/// <param name="Refusal">Why what came was refused; null when nothing came, or all is well.</param>
internal readonly record struct FetchedValue(ReadOnlyMemory<byte>? Bytes, string? Refusal = null);
