namespace Ripple.Engine.Releases;

/// <content>Moving to a snapshot.</content>
internal sealed partial class ApplicationReplica
{
    private SnapshotFetch? _snapshot;
    private SnapshotFetch? _givenUp;

    /// <summary>
    /// Moves to a snapshot whose header the caller has verified; the key table is checked against the header here. Never goes back within a
    /// generation, nor to another release of the same number; to the newest verified release itself if a value on the way there is
    /// unavailable, since its state may not need it. False when the snapshot was refused.
    /// </summary>
    public bool OfferSnapshot(ReleaseProof proof, ReleaseStateBuilder table)
    {
        ReleaseHeader header = proof.Header;
        ReleaseState head = _intake.Head;
        if (header.Application != Name
            || header.Generation < head.Generation
            || (header.Generation == head.Generation && header.Release < head.Release))
        {
            return false;
        }

        if (header.Id == head.Id && !_lacksValue)
        {
            return true;
        }

        if (header.Id != head.Id && header.Generation == head.Generation && header.Release == head.Release)
        {
            _handler.OnRefused(this, new IntakeRefusal("a snapshot of a release that this node has with another content", header.Release));
            return false;
        }

        if (!table.TryBuild(header, out ReleaseState? state))
        {
            _handler.OnRefused(this, new IntakeRefusal("a snapshot whose keys are not the ones its header names", header.Release));
            return false;
        }

        _epoch++;
        _fetches = 0;
        _lacksValue = false;
        _staged.Clear();
        _intake.Reset(state);
        _snapshot = new SnapshotFetch(state, proof, _received, _isWanted, _snapshot ?? _givenUp);
        _givenUp = null;
        FetchSnapshot();
        return true;
    }

    private void FetchSnapshot()
    {
        SnapshotFetch? snapshot = _snapshot;
        while (snapshot is not null && ReferenceEquals(snapshot, _snapshot) && snapshot.TryNext(out KeyValuePair<string, KeyEntry> next))
        {
            _received.Values.TryGetValue(next.Key, out ReadOnlyMemory<byte> previous);
            var wanted = new WantedValue(next.Value.Digest, next.Value.Length, previous);
            _handler.Fetch(this, wanted, fetched => OnSnapshotValue(snapshot, next, fetched));
        }

        if (snapshot is { IsComplete: true } && ReferenceEquals(snapshot, _snapshot))
        {
            _snapshot = null;
            Advance(snapshot.Build());
            Stage();
        }
    }

    private void OnSnapshotValue(SnapshotFetch snapshot, KeyValuePair<string, KeyEntry> key, FetchedValue fetched)
    {
        snapshot.OnEnded(key, fetched.Bytes);
        if (!ReferenceEquals(snapshot, _snapshot))
        {
            return;
        }

        if (fetched.Bytes is null)
        {
            OnMissing(snapshot.State.Release, key.Key, key.Value.Digest, fetched.Refusal);
        }

        FetchSnapshot();
    }
}
