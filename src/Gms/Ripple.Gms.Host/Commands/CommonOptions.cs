using System.CommandLine;

namespace Ripple.Gms.Host.Commands;

/// <summary>Options shared by several commands.</summary>
internal static class CommonOptions
{
    /// <summary>The data directory that the command works on.</summary>
    public static Option<string> Data { get; } = new("--data")
    {
        Description = "The host's data directory. Made where it is missing; one host at a time.",
        HelpName = "DIR",
        Required = true,
        Recursive = true,
    };

    /// <summary>The file that names the database of the store.</summary>
    public static Option<string?> StoreFile { get; } = new("--store-file")
    {
        Description = "A file, readable by its owner alone, with the connection string of a PostgreSQL database that keeps the store. "
            + "Default: the store is a file in the data directory",
        HelpName = "FILE",
        Recursive = true,
    };

    /// <summary>The SQLite that keeps the store.</summary>
    public static Option<string?> Sqlite { get; } = new("--sqlite")
    {
        Description = "A shared library of SQLite to use instead of the one that comes with this program: 3.35.5 or newer, such as the "
            + "system's, which is kept up to date with it",
        HelpName = "FILE",
        Recursive = true,
    };
}
