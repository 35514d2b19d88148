namespace Ripple.Gms.Store;

/// <content>The thread that commits, and keeps the log short.</content>
internal sealed partial class SqliteHostStore
{
    /// <inheritdoc/>
    protected override void Write(List<CommitWork> commits)
    {
        if (commits.Count == 0)
        {
            return;
        }

        StoreTrouble? trouble = Condition.Forbids ?? WriteGroup(commits);
        if (trouble is { Status: StoreStatus.Full }
            && commits.Exists(c => c.Batch.SlotEpoch is not null)
            && _ballast?.TryRelease() == true)
        {
            // A host that starts, or must exceed an epoch that nodes have seen: nothing goes on without that.
            trouble = WriteGroup(commits);
        }

        if (trouble is not null)
        {
            CommitWork.FailAll(commits.Where(c => c.IsPending), trouble.Status, trouble.Reason);
        }
    }

    /// <inheritdoc/>
    protected override void OnGroupEnded()
    {
        if (Options.IsHost && _log.MustMerge)
        {
            Try(_log.Merge);
        }

        // Walks first: until the one that runs has ended, others read on.
        if (Options.IsHost && _log.IsTooLong && Walks.TryPause() && Reads.TryPause())
        {
            Try(_log.BeginAnew);
            Reads.Resume();
            Walks.Resume();
        }
    }

    /// <inheritdoc/>
    protected override void Poll()
    {
        Try(Look);
        Recover();
        _mark?.Flush();
    }

    /// <inheritdoc/>
    protected override void Close()
    {
        _mark?.Flush();
        _mark?.Dispose();
        _database.Dispose();
        _hostLock?.Dispose();
    }

    private StoreTrouble? WriteGroup(List<CommitWork> commits)
    {
        commits.RemoveAll(c => !c.IsPending);
        if (_group.Write(commits) is { } trouble)
        {
            Condition.OnTrouble(trouble);
            return trouble;
        }

        OnDurable(commits);
        return null;
    }

    private void OnDurable(List<CommitWork> commits)
    {
        _mark?.OnDurable(commits.Where(c => c.IsPending).Select(c => c.Batch));
        foreach (CommitWork commit in commits)
        {
            _log.OnCommit(commit.Bytes);
        }

        if (commits.Exists(c => c.IsPending && c.Batch.Tokens.Count + c.Batch.RevokedNodes.Count > 0))
        {
            Try(ReadTokensVersion);
        }

        Condition.OnTaken();
        if (commits.Exists(c => c.Batch.SlotEpoch is not null))
        {
            // What a start had of it is taken back before others take it.
            _ballast?.Fill();
        }
    }

    /// <summary>Sees whether the disk works again, and takes the room that a start may need.</summary>
    private void Recover()
    {
        _ballast?.Fill();
        if (Condition.MustProbe && _group.Probe() is null)
        {
            _log.OnCommit(0);
            Condition.OnTaken();
        }
    }

    private void Look()
    {
        _space = StoreSpace.Of(_path, _database);
        long version = _database.Number("PRAGMA data_version");
        if (version != _dataVersion)
        {
            _dataVersion = version;
            ReadTokensVersion();
        }
    }

    private void ReadTokensVersion() => TokensVersion = SqliteReader.Setting(_database, "tokens_version");
}
