using System.Globalization;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;

namespace Ripple.Gms.Host.Commands;

/// <summary>Opens the store of a data directory, also while a host is running on it.</summary>
internal static class OpenedStore
{
    /// <summary>The actor recorded in the audit.</summary>
    public static string Actor => $"{Environment.UserName} at {Environment.MachineName}";

    /// <summary>Opens an existing store. Never creates one: a mistyped path must not become an empty store.</summary>
    /// <param name="directory">The host's data directory.</param>
    /// <param name="storeFile">The file that names the database of the store; null for a store in the directory.</param>
    public static IHostStore Open(GmsDirectory directory, string? storeFile) => storeFile is not null
        ? new PostgresHostStore(PostgresAddress.ReadFile(storeFile), directory.Database, new HostStoreOptions { IsHost = false })
        : File.Exists(directory.Store)
        ? new SqliteHostStore(directory.Store, new HostStoreOptions { IsHost = false })
        : throw new CommandException(
            $"There is no store in '{directory.Path}'. Give the data directory of a host that was started at least once.");

    /// <summary>Reads the tokens.</summary>
    public static Task<IReadOnlyList<AccessToken>> TokensAsync(this IHostStore store) =>
        store.ReadAsync<IReadOnlyList<AccessToken>>(store.ReadTokens);
}

/// <summary>Formats the store's timestamps for display.</summary>
internal static class UnixTime
{
    /// <summary>ISO 8601 in UTC, to the second.</summary>
    public static string Text(long unixMicros) =>
        DateTimeOffset.UnixEpoch.AddTicks(unixMicros * TimeSpan.TicksPerMicrosecond).ToString(
            "yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);
}
