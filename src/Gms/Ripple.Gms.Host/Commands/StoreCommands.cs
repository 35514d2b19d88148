using System.CommandLine;
using System.Globalization;
using Ripple.Gms.Server;
using Ripple.Gms.Store.Postgres;

namespace Ripple.Gms.Host.Commands;

/// <summary><c>store copy</c>: moves the store of a host that does not run from its directory into a database, or back.</summary>
internal static class StoreCommands
{
    private const string MovedEnding = ".moved";

    public static Command Make() => new("store", "Moves a store.") { Copy() };

    private static Command Copy()
    {
        var back = new Option<bool>("--back") { Description = "From the database into the directory" };
        var command = new Command(
            "copy",
            "Copies the store of the data directory into the empty database that --store-file names, or back. The host goes on with the "
                + "copy, as if nothing had happened; the original is put aside in the directory, or stays in the database: no host may "
                + "be started on it any more.") { back };
        command.SetAction((result, _) =>
        {
            var directory = new GmsDirectory(Path.GetFullPath(result.GetRequiredValue(CommonOptions.Data)));
            string storeFile = result.GetValue(CommonOptions.StoreFile)
                ?? throw new CommandException(
                    "No database is named. Give the file with its connection string: --store-file FILE.", isUsage: true);
            PostgresAddress address = PostgresAddress.ReadFile(storeFile);
            long count = result.GetValue(back) ? ToFile(address, directory) : ToDatabase(directory, address);
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{count} rows copied"));
            return Task.FromResult(ExitCodes.Done);
        });
        return command;
    }

    private static long ToDatabase(GmsDirectory directory, PostgresAddress address)
    {
        if (!File.Exists(directory.Store))
        {
            throw new CommandException(
                $"There is no store in '{directory.Path}'. Give the data directory of a host that was started at least once.");
        }

        long count = StoreTransfer.ToDatabase(directory.Store, address);
        PutAside(directory.Store, "", "-wal", "-shm", ".mark");
        Console.WriteLine($"the store of the directory is '{directory.Store}{MovedEnding}' now");
        return count;
    }

    private static long ToFile(PostgresAddress address, GmsDirectory directory)
    {
        long count = StoreTransfer.ToFile(address, directory.Store);
        PutAside(directory.Database, ".mark", ".position");
        return count;
    }

    private static void PutAside(string path, params string[] suffixes)
    {
        foreach (string each in suffixes.Select(s => path + s).Where(File.Exists))
        {
            File.Move(each, each + MovedEnding, overwrite: true);
        }
    }
}
