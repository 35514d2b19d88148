namespace Ripple.Gms.Store;

/// <summary>
/// The write-ahead log of a store's file, by the bytes that were written to it: when it is merged into the file, and when it has become so
/// long that it is to begin anew. On the store's own thread.
/// </summary>
internal sealed class SqliteWriteAheadLog(SqliteDatabase database, HostStoreOptions options)
{
    // SQLite's own checkpoint threshold; a commit changes a few pages besides its values.
    private const long MergeBytes = 4 * 1_024 * 1_024;
    private const long CommitBytes = 32 * 1_024;

    private long _unmergedBytes;
    private long _bytes;

    /// <summary>True when as much was written since the last merge as one should take at once.</summary>
    public bool MustMerge => _unmergedBytes >= MergeBytes;

    /// <summary>
    /// True when it is longer than <see cref="HostStoreOptions.LogBytesMax"/>: no long read may begin until it has begun anew.
    /// </summary>
    public bool IsTooLong => _bytes >= options.LogBytesMax;

    /// <summary>A commit was written.</summary>
    /// <param name="valueBytes">The bytes of its values.</param>
    public void OnCommit(long valueBytes)
    {
        _unmergedBytes += CommitBytes + valueBytes;
        _bytes += CommitBytes + valueBytes;
    }

    /// <summary>Checkpoints it, after all callbacks have run, so that only new requests wait for it.</summary>
    public void Merge()
    {
        _unmergedBytes = 0;
        database.Run("PRAGMA wal_checkpoint(PASSIVE)");
    }

    /// <summary>
    /// Merges all of it and lets the next commit begin it anew. Only while nobody in this process reads; another process that reads
    /// leaves it as it is.
    /// </summary>
    public void BeginAnew()
    {
        _bytes = 0;
        database.SetBusyTimeout(0);
        try
        {
            database.Run("PRAGMA wal_checkpoint(RESTART)");
        }
        finally
        {
            database.SetBusyTimeout(options.BusyTimeoutMs);
        }
    }
}
