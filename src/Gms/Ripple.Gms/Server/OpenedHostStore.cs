using Microsoft.Extensions.Logging;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>A host's store, in a file or in a database, and what is told of it.</summary>
/// <param name="Store">The store.</param>
/// <param name="Name">What it is, for logs.</param>
/// <param name="Space">How much room it takes and has; null for a database, whose disk is not the host's.</param>
/// <param name="MarkTrouble">What is wrong with the mark, which the host serves on without.</param>
/// <param name="FullCount">Groups of commits that were not taken.</param>
/// <param name="FailedCount">Groups of commits of which nobody knew whether they were written.</param>
internal sealed record OpenedHostStore(
    IHostStore Store,
    string Name,
    Func<StoreSpace?> Space,
    Func<string?> MarkTrouble,
    Func<long> FullCount,
    Func<long> FailedCount)
{
    private const int SynchronousFull = 2;

    /// <summary>Opens the store that the options name, as its host. Blocks.</summary>
    /// <param name="options">The host's options.</param>
    /// <param name="directory">Its directory.</param>
    /// <param name="lease">The lease of a store in a database; null for one in a file.</param>
    /// <param name="logger">Receives what is damaged.</param>
    /// <exception cref="StoreException">The store cannot be used, or another host is using it.</exception>
    /// <exception cref="GmsServerException">It would not keep what it says to have committed.</exception>
    public static OpenedHostStore Open(GmsServerOptions options, GmsDirectory directory, IHostLease? lease, ILogger logger)
    {
        HostStoreOptions own = options.Store with
        {
            OnDamaged = what => HostLog.StoreDamaged(logger, ShownText.Line(what)),
            Lease = lease,
            // A standby has all but what a host writes that led.
            IsNewHere = !File.Exists(directory.ClientConnection),
        };
        return options.StoreFile is { } file ? OpenDatabase(file, directory, own) : OpenFile(directory, own, logger);
    }

    private static OpenedHostStore OpenDatabase(string file, GmsDirectory directory, HostStoreOptions options)
    {
        PostgresAddress address = PostgresAddress.ReadFile(file);
        var store = new PostgresHostStore(address, directory.Database, options);
        return new OpenedHostStore(
            store, address.ToString(), () => null, () => store.MarkTrouble, () => store.FullCount, () => store.FailedCount);
    }

    /// <summary>
    /// Throws where a data directory has a store, and a database is named: it would begin another cluster's with the same authority.
    /// </summary>
    /// <exception cref="GmsServerException">It has.</exception>
    public static void RefuseTwo(string storeFile, GmsDirectory directory)
    {
        if (File.Exists(directory.Store))
        {
            throw new GmsServerException(
                $"There is a store in '{directory.Path}', and another one is named by '{storeFile}'. Leave the one away, or give another "
                    + "data directory.");
        }
    }

    private static OpenedHostStore OpenFile(GmsDirectory directory, HostStoreOptions options, ILogger logger)
    {
        if (!File.Exists(directory.Store) && File.Exists(StoreMarkFile.PathOf(directory.Database)))
        {
            throw new GmsServerException(
                $"The store of '{directory.Path}' is in a database, and none is named: a new one would begin beside it. Give its store "
                    + $"file (--store-file).");
        }

        var store = new SqliteHostStore(directory.Store, options);
        if (store.Synchronous is var mode && mode != SynchronousFull)
        {
            store.Dispose();
            throw new GmsServerException(
                $"SQLite does not flush commits of '{directory.Store}' (synchronous is {mode}, not {SynchronousFull}). "
                    + $"Use the SQLite that comes with this program.");
        }

        (string version, string source) = SqliteDatabase.Version;
        HostLog.SqliteVersion(logger, version, source);
        return new OpenedHostStore(
            store, directory.Store, () => store.Space, () => store.MarkTrouble, () => store.FullCount, () => store.FailedCount);
    }
}
