namespace Ripple.Engine.Releases;

/// <summary>What a replica tells its owner. Core thread.</summary>
internal interface IReplicaHandler
{
    /// <summary>
    /// A release is received whole. <paramref name="decide"/> must be called once, on the core thread, now or later: null accepts, a text
    /// rejects with that reason. The next candidate comes after the decision; candidates may be coalesced to the newest while a decision
    /// takes long.
    /// </summary>
    void OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide);

    /// <summary>A state is in effect.</summary>
    void OnApplied(ApplicationReplica replica, ApplicationState state);

    /// <summary>A level moved or something was rejected: the ring and direct reports want to know.</summary>
    void OnLevelsChanged(ApplicationReplica replica);

    /// <summary>The chain cannot go on with what comes by stream: bring it forward through a host.</summary>
    void OnBehind(ApplicationReplica replica);

    /// <summary>Something in the topic was not what the primary released.</summary>
    void OnForged(ApplicationReplica replica, string what);

    /// <summary>A value is to be fetched. <paramref name="done"/> gets verified bytes, or null when it cannot be had now.</summary>
    void Fetch(ApplicationReplica replica, Digest160 digest, int length, ReadOnlyMemory<byte> previous, Action<ReadOnlyMemory<byte>?> done);

    /// <summary>
    /// What is here is to be saved; <paramref name="done"/> runs on the core thread, later, and says whether it is on disk. False when this
    /// node saves nothing; <paramref name="done"/> is not called then.
    /// </summary>
    bool TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done);
}
