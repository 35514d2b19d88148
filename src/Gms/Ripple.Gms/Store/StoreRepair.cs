namespace Ripple.Gms.Store;

/// <summary>What an operator may do to a store that no host has open, and a host never does.</summary>
internal static class StoreRepair
{
    /// <summary>Marks a store as a copy, until a host has begun on it.</summary>
    /// <param name="path">The store.</param>
    /// <param name="slotEpoch">Sets the slot epoch, also to a lower one; null to leave it.</param>
    /// <exception cref="StoreException">A host has it open, or a file cannot be written.</exception>
    public static void MarkRestored(string path, uint? slotEpoch)
    {
        using IDisposable hostLock = StoreFiles.Lock(path);
        using var file = new StoreMarkFile(StoreMarkFile.PathOf(path));
        StoreMark mark = (file.Mark ?? StoreMark.None) with { IsRestored = true };
        file.Write(slotEpoch is null ? mark : mark with { SlotEpoch = 0 });
        file.Flush();
        if (slotEpoch is { } epoch)
        {
            SetEpoch(path, epoch);
        }
    }

    private static void SetEpoch(string path, uint slotEpoch)
    {
        try
        {
            using SqliteDatabase database = StoreSchema.Open(path, new HostStoreOptions().BusyTimeoutMs, mayTakeOver: false);
            using SqliteStatement set = database.Prepare("INSERT OR REPLACE INTO settings VALUES ('slot_epoch', ?)");
            set.Bind(1, slotEpoch).Run();
        }
        catch (SqliteException e)
        {
            throw StoreSchema.Unreadable(path, e);
        }
    }
}
