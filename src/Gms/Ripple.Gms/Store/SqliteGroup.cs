namespace Ripple.Gms.Store;

/// <summary>Writes all batches that wait in one transaction, so that they share one flush of the disk.</summary>
internal sealed class SqliteGroup(SqliteDatabase database)
{
    private readonly SqliteBatchWriter _writer = new(database);

    /// <summary>
    /// Sets the result of each. A batch that breaks a rule leaves no trace and does not hold up the others. Throws when the disk failed:
    /// then nothing is known of any of them.
    /// </summary>
    public void Write(IReadOnlyList<CommitWork> works)
    {
        try
        {
            database.Run("BEGIN IMMEDIATE");
        }
        catch (SqliteException e) when (e.IsBusy)
        {
            FailAll(works, StoreStatus.Busy, $"Another process kept the store locked ({e.Message}). Nothing was written; try again.");
            return;
        }

        try
        {
            foreach (CommitWork work in works)
            {
                WriteOne(work);
            }

            database.Run("COMMIT");
        }
        catch
        {
            RollBack();
            throw;
        }
    }

    public static void FailAll(IEnumerable<StoreWork> works, StoreStatus status, string reason)
    {
        foreach (StoreWork work in works)
        {
            work.Fail(status, reason);
        }
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

    private void RollBack()
    {
        try
        {
            if (database.IsInTransaction)
            {
                database.Run("ROLLBACK");
            }
        }
        catch (SqliteException)
        {
            // The failure that led here is the one to tell; the store is given up, and SQLite rolls back when it is opened again.
        }
    }
}
