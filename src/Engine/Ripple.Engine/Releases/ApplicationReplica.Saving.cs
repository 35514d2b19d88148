namespace Ripple.Engine.Releases;

/// <content>
/// Saving: what was accepted last beside what was received last and what was rejected. A release that was received, or rejected, never
/// takes the place of the one accepted.
/// </content>
internal sealed partial class ApplicationReplica
{
    private ApplicationState _accepted;
    private ReplicaSnapshot? _saved;
    private int _savedRejections;
    private bool _isPersisting;

    /// <summary>Saves what is not saved yet, after a save that failed.</summary>
    public void SaveAgain() => Persist();

    private void Persist()
    {
        _mustPersist = _isInBatch;
        if (_isInBatch)
        {
            return;
        }

        bool isSaved = _saved is { } saved
            && ReferenceEquals(saved.Applied, _accepted)
            && ReferenceEquals(saved.Received, _received)
            && _savedRejections == _rejections.Version;
        if (_isPersisting || _received.Proof is null || isSaved)
        {
            return;
        }

        int rejections = _rejections.Version;
        var snapshot = new ReplicaSnapshot(_accepted, _received, [.. _rejections.Kept]);
        _isPersisting = _handler.TryPersist(this, snapshot, isSaved =>
        {
            _isPersisting = false;
            if (isSaved)
            {
                _savedRejections = rejections;
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
