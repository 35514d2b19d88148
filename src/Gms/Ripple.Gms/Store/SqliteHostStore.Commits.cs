namespace Ripple.Gms.Store;

/// <content>The thread that commits, and keeps the log short.</content>
internal sealed partial class SqliteHostStore
{
    private void Work()
    {
        while (_queue.Take(_options.PollMs) is { } works)
        {
            Write(works);
            int commitCount = works.Count(w => w is CommitWork);
            _reads.OnCommitsEnded(commitCount);
            _walks.OnCommitsEnded(commitCount);
            foreach (StoreWork work in works)
            {
                if (work is ReadWork read)
                {
                    Inspect(read);
                }

                work.Complete();
            }

            if (_options.IsHost && _unmergedBytes >= MergeBytes)
            {
                Try(Merge);
            }

            // Walks first: until the one that runs has ended, others read on.
            if (_options.IsHost && _logBytes >= _options.LogBytesMax && _walks.TryPause() && _reads.TryPause())
            {
                Try(BeginLogAnew);
                _reads.Resume();
                _walks.Resume();
            }

            if (Environment.TickCount64 - _polledMs >= _options.PollMs)
            {
                Try(Poll);
                Recover();
                _mark?.Flush();
            }
        }

        _mark?.Flush();
        _mark?.Dispose();
        // Last: who closes a file last merges its log.
        _walks.Dispose();
        _reads.Dispose();
        _database.Dispose();
        _hostLock?.Dispose();
        _queue.Dispose();
    }

    private void Write(IReadOnlyList<StoreWork> works)
    {
        _commits.Clear();
        _commits.AddRange(works.OfType<CommitWork>().Where(w => w.IsPending));
        if (_commits.Count == 0)
        {
            return;
        }

        StoreTrouble? trouble = _condition.Forbids ?? WriteGroup();
        if (trouble is { Status: StoreStatus.Full }
            && _commits.Exists(c => c.Batch.SlotEpoch is not null)
            && _ballast?.TryRelease() == true)
        {
            // A host that starts, or must exceed an epoch that nodes have seen: nothing goes on without that.
            trouble = WriteGroup();
        }

        if (trouble is not null)
        {
            SqliteGroup.FailAll(_commits.Where(c => c.IsPending), trouble.Status, trouble.Reason);
        }
    }

    private StoreTrouble? WriteGroup()
    {
        _commits.RemoveAll(c => !c.IsPending);
        if (_group.Write(_commits) is { } trouble)
        {
            _condition.OnTrouble(trouble);
            return trouble;
        }

        OnDurable();
        return null;
    }

    private void OnDurable()
    {
        _mark?.OnDurable(_commits.Where(c => c.IsPending).Select(c => c.Batch));
        foreach (CommitWork commit in _commits)
        {
            _unmergedBytes += CommitBytes + commit.Bytes;
            _logBytes += CommitBytes + commit.Bytes;
        }

        if (_commits.Exists(c => c.IsPending && c.Batch.Tokens.Count + c.Batch.RevokedNodes.Count > 0))
        {
            Try(ReadTokensVersion);
        }

        _condition.OnTaken();
        if (_commits.Exists(c => c.Batch.SlotEpoch is not null))
        {
            // What a start had of it is taken back before others take it.
            _ballast?.Fill();
        }
    }

    /// <summary>Sees whether the disk works again, and takes the room that a start may need.</summary>
    private void Recover()
    {
        _ballast?.Fill();
        if (_condition.MustProbe && _group.Probe() is null)
        {
            _unmergedBytes += CommitBytes;
            _logBytes += CommitBytes;
            _condition.OnTaken();
        }
    }

    private void Inspect(ReadWork work)
    {
        try
        {
            work.Read(new SqliteReader(_database));
        }
        catch (SqliteException e)
        {
            work.Fail(StoreStatus.Failed, e.Message);
        }
    }

    /// <summary>Checkpoints the write-ahead log after all callbacks have run, so that only new requests wait for it.</summary>
    private void Merge()
    {
        _unmergedBytes = 0;
        _database.Run("PRAGMA wal_checkpoint(PASSIVE)");
    }

    /// <summary>
    /// Merges all of the log and lets the next commit begin it anew. Only while nobody in this process reads; another process that reads
    /// leaves it as it is.
    /// </summary>
    private void BeginLogAnew()
    {
        _logBytes = 0;
        _database.SetBusyTimeout(0);
        try
        {
            _database.Run("PRAGMA wal_checkpoint(RESTART)");
        }
        finally
        {
            _database.SetBusyTimeout(_options.BusyTimeoutMs);
        }
    }

    private void Poll()
    {
        _polledMs = Environment.TickCount64;
        _space = StoreSpace.Of(_path, _database);
        long version = _database.Number("PRAGMA data_version");
        if (version != _dataVersion)
        {
            _dataVersion = version;
            ReadTokensVersion();
        }
    }

    private void ReadTokensVersion() => Volatile.Write(ref _tokensVersion, SqliteReader.Setting(_database, "tokens_version"));
}
