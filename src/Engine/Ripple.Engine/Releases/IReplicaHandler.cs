namespace Ripple.Engine.Releases;

/// <summary>Receives the events and requests of a replica. Core thread.</summary>
internal interface IReplicaHandler
{
    /// <summary>
    /// A release has been received completely. <paramref name="decide"/> must be called once, on the core thread, now or later: null
    /// accepts, a text rejects with that reason. The next candidate follows after the decision; while decisions are slow, older candidates
    /// may be skipped in favor of the newest.
    /// </summary>
    void OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide);

    /// <summary>A state took effect.</summary>
    void OnApplied(ApplicationReplica replica, ApplicationState state);

    /// <summary>A level changed or a release was rejected: the ring and direct reports need to know.</summary>
    void OnLevelsChanged(ApplicationReplica replica);

    /// <summary>The stream alone cannot advance the chain: catch up through a host.</summary>
    void OnBehind(ApplicationReplica replica);

    /// <summary>Data received for the application was not released by the primary.</summary>
    void OnForged(ApplicationReplica replica, string what);

    /// <summary>
    /// Fetches a value. <paramref name="done"/> gets verified bytes, or null when the value is unavailable now. Without a connection it may
    /// never be called: the replica retries after the next join.
    /// </summary>
    void Fetch(ApplicationReplica replica, Digest160 digest, int length, ReadOnlyMemory<byte> previous, Action<ReadOnlyMemory<byte>?> done);

    /// <summary>
    /// Saves a snapshot; <paramref name="done"/> runs later on the core thread and says whether it is on disk. False when this node does
    /// not save states; <paramref name="done"/> is not called then.
    /// </summary>
    bool TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done);
}
