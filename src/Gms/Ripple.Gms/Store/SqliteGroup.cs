namespace Ripple.Gms.Store;

/// <summary>Writes all waiting batches in one transaction, so that they share one disk flush.</summary>
internal sealed class SqliteGroup(SqliteDatabase database)
{
    private readonly SqliteBatchWriter _writer = new(database);

    /// <summary>
    /// Writes the batches and sets the result of each that fails. A batch that breaks a rule leaves no trace and does not hold up the
    /// others. Throws if the disk failed: the outcome of all of them is then unknown.
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
            // Report the original failure; the store is abandoned, and SQLite rolls back when it is opened again.
        }
    }
}
