using Ripple.Engine.Memory;

namespace Ripple.Gms.Store;

/// <summary>A store in one SQLite file: write-ahead log, synchronous=FULL.</summary>
internal sealed partial class SqliteHostStore : QueuedHostStore
{
    private readonly string _path;
    private readonly IDisposable? _hostLock;
    private readonly SqliteDatabase _database;
    private readonly SqliteGroup _group;
    private readonly StoreMarkKeeper? _mark;
    private readonly StoreBallast? _ballast;
    private readonly SqliteWriteAheadLog _log;
    private volatile StoreSpace _space = new(0, 0, -1);
    private long _dataVersion;

    /// <summary>
    /// Opens the store, creating missing files. Throws <see cref="StoreException"/> if the file cannot be used or another host has it open,
    /// and <see cref="StoreFormatException"/> if a later version wrote it.
    /// </summary>
    public SqliteHostStore(string path, HostStoreOptions? options = null)
        : base(options ?? new())
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        _path = path;
        StoreFiles.Prepare(path);
        _hostLock = Options.IsHost ? StoreFiles.Lock(path) : null;
        _ballast = Options.IsHost ? new StoreBallast(path) : null;
        _ballast?.ReleaseIfShort();
        SqliteDatabase forReads;
        SqliteDatabase forWalks;
        try
        {
            (_database, forReads, forWalks, _mark) = OpenParts();
        }
        catch
        {
            _hostLock?.Dispose();
            throw;
        }

        if (Options.IsHost)
        {
            // An automatic checkpoint would run inside a commit and delay its publisher.
            _database.Run("PRAGMA wal_autocheckpoint = 0");
        }

        Synchronous = (int)_database.Number("PRAGMA synchronous");
        _log = new(_database, Options);
        _group = new(_database, _mark, Options.PublishHorizonCount);
        Try(Look);
        Start(new ReadConnection(this, forReads), new ReadConnection(this, forWalks));
    }

    /// <summary>Adds the memory of a store with these options.</summary>
    public static void AddMemory(MemoryBudget budget, HostStoreOptions options)
    {
        StoreQueue.AddMemory(budget, options);
        budget.Add(MemoryScope.Process, MemoryKind.Retained, "store: SQLite's pages", StoreSchema.PageCacheKib, 1_024);
        budget.Add(MemoryScope.Process, MemoryKind.Retained, "store: SQLite's pages, of reads", 2L * StoreSchema.PageCacheKib, 1_024);
    }

    /// <inheritdoc/>
    public override string? MarkTrouble => _mark?.Trouble;

    /// <summary>How much room it takes and has; at most a second old, or as long as the thread is in one commit. Any thread.</summary>
    public StoreSpace Space => _space;

    /// <summary>SQLite's effective synchronous setting, as it reads it back: 2 (FULL), otherwise commits are not durable.</summary>
    public int Synchronous { get; }

    /// <inheritdoc/>
    protected override string Name => $"store '{_path}'";

    /// <inheritdoc/>
    protected override StoreCopy? Copy => _mark?.Copy;

    /// <summary>Opens the parts; where that fails, once more with the room of the ballast.</summary>
    private (SqliteDatabase Database, SqliteDatabase ForReads, SqliteDatabase ForWalks, StoreMarkKeeper? Mark) OpenParts()
    {
        while (true)
        {
            SqliteDatabase? database = null;
            SqliteDatabase? forReads = null;
            SqliteDatabase? forWalks = null;
            try
            {
                database = StoreSchema.Open(_path, Options.BusyTimeoutMs, mayTakeOver: Options.IsHost);
                forReads = StoreSchema.OpenForReads(_path, Options.BusyTimeoutMs);
                forWalks = StoreSchema.OpenForReads(_path, Options.BusyTimeoutMs);
                return (database, forReads, forWalks, Options.IsHost ? OpenMark(database) : null);
            }
            catch (StoreException) when (TryEndOpening())
            {
                // There was a ballast.
            }
            catch
            {
                Close();
                throw;
            }

            bool TryEndOpening()
            {
                if (_ballast?.TryRelease() != true)
                {
                    return false;
                }

                Close();
                return true;
            }

            void Close()
            {
                forWalks?.Dispose();
                forReads?.Dispose();
                database?.Dispose();
            }
        }
    }

    private StoreMarkKeeper OpenMark(SqliteDatabase database)
    {
        try
        {
            return new StoreMarkKeeper(_path, database);
        }
        catch (SqliteException e)
        {
            throw StoreSchema.Unreadable(_path, e);
        }
    }

    /// <summary>Does what is done again later if it does not succeed.</summary>
    private static void Try(Action action)
    {
        try
        {
            action();
        }
        catch (SqliteException)
        {
            // Another process has a lock, or the disk failed: the next commit tells.
        }
    }

    /// <summary>A connection of reads.</summary>
    private sealed class ReadConnection(SqliteHostStore store, SqliteDatabase database) : IStoreConnection
    {
        private readonly SqliteReader _reader = new(database);

        public StoreTrouble? Read(Action<IStoreReader> read)
        {
            try
            {
                read(_reader);
                return null;
            }
            catch (SqliteException e) when (e.IsBusy)
            {
                return new(StoreStatus.Busy, $"Another process kept the {store.Name} locked ({e.Message}). Try again.");
            }
            catch (StoreDamageException e)
            {
                store.ReportDamage(e.Message);
                return new(StoreStatus.Damaged, e.Message);
            }
            catch (Exception e) when (e is SqliteException or StoreException)
            {
                string reason = $"The {store.Name} cannot be read: {e.Message}. Check the disk; restore a backup if it stays.";
                store.ReportDamage(reason);
                return new(StoreStatus.Failed, reason);
            }
        }

        public void Dispose() => database.Dispose();
    }
}
