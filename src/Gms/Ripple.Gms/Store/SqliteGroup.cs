namespace Ripple.Gms.Store;

/// <summary>Writes all waiting batches in one transaction, so that they share one disk flush.</summary>
internal sealed class SqliteGroup(SqliteDatabase database, StoreMarkKeeper? mark, int publishHorizonCount)
{
    private readonly SqliteBatchWriter _writer = new(database, mark, publishHorizonCount);

    /// <summary>
    /// Writes the batches and sets the result of each that is refused. A batch that breaks a rule leaves no trace and does not hold up the
    /// others. Null when the rest is durable, else what befell all of them.
    /// </summary>
    public StoreTrouble? Write(IReadOnlyList<CommitWork> works) => Transact(() =>
    {
        foreach (CommitWork work in works)
        {
            WriteOne(work);
        }
    });

    /// <summary>
    /// Writes something that changes nothing, to see whether the disk takes commits. Null if it does: then a group before whose fate was
    /// not known was not written, for this lies over it in the log, and is flushed.
    /// </summary>
    public StoreTrouble? Probe() => Transact(() =>
    {
        using SqliteStatement set = database.Prepare("INSERT OR REPLACE INTO settings VALUES ('probes', ?)");
        set.Bind(1, SqliteReader.Setting(database, "probes") + 1).Run();
    });

    private StoreTrouble? Transact(Action write)
    {
        bool isCommitting = false;
        try
        {
            // Left by one that could not be rolled back.
            if (database.IsInTransaction)
            {
                database.Run("ROLLBACK");
            }

            database.Run("BEGIN IMMEDIATE");
            write();
            isCommitting = true;
            database.Run("COMMIT");
            return null;
        }
        catch (Exception e) when (e is SqliteException or StoreException)
        {
            return Judge(e, isCommitting, TryRollBack());
        }
    }

    private static StoreTrouble Judge(Exception e, bool isCommitting, bool isRolledBack)
    {
        var disk = e as SqliteException;
        if (disk is { IsBusy: true } && isRolledBack)
        {
            return new StoreTrouble(
                StoreStatus.Busy, $"Another process kept the store locked ({e.Message}). Nothing was written; try again.");
        }

        if (disk is { IsFull: true } && isRolledBack)
        {
            return new StoreTrouble(
                StoreStatus.Full, $"The disk of the store is full ({e.Message}). Nothing was written; try again when there is room.");
        }

        // What is not of SQLite is the mark, which is written before the commit.
        bool mayPass = disk is null or { MayPass: true };
        return mayPass && isRolledBack && !isCommitting
            ? new StoreTrouble(
                StoreStatus.Full, $"The disk of the store did not take it ({e.Message}). Nothing was written; try again.")
            : new StoreTrouble(StoreStatus.Failed, mayPass
                ? $"The store failed and takes no commits until its disk works again: {e.Message}."
                : $"The store failed and takes no commits until it is opened again: {e.Message}.")
            {
                MayPass = mayPass,
            };
    }

    private void WriteOne(CommitWork work)
    {
        database.Run("SAVEPOINT batch");
        try
        {
            _writer.Write(work.Batch);
        }
        catch (Exception e) when (e is StoreRefusedException or SqliteException { IsConstraint: true })
        {
            database.Run("ROLLBACK TO batch");
            work.Fail(StoreStatus.Refused, e.Message);
        }

        database.Run("RELEASE batch");
    }

    /// <summary>True if the transaction is gone; SQLite itself ends one on some errors.</summary>
    private bool TryRollBack()
    {
        try
        {
            if (database.IsInTransaction)
            {
                database.Run("ROLLBACK");
            }

            return true;
        }
        catch (SqliteException)
        {
            return false;
        }
    }
}
