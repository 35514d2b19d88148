using System.Globalization;

namespace Ripple.Gms.Store;

/// <summary>The tables, their format, and the opening of a file as a store.</summary>
internal static class StoreSchema
{
    /// <summary>The format that this version writes, and the latest it reads.</summary>
    public const int FormatVersion = 2;

    /// <summary>The size of SQLite's page cache, in KiB.</summary>
    public const int PageCacheKib = 2_000;

    // "Rip1": distinguishes a store from other SQLite files.
    private const long ApplicationId = 0x52697031;

    // Keys compare by their UTF-8 bytes (SQLite's BINARY), as in KeyOrder. Long columns are last, so that reading the others skips their
    // pages.
    private static readonly string[] Tables =
    [
        "CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID",
        "CREATE TABLE applications (topic INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, generation INTEGER NOT NULL)",
        "CREATE TABLE content (digest BLOB NOT NULL PRIMARY KEY, body BLOB NOT NULL)",
        """
        CREATE TABLE releases (
            topic INTEGER NOT NULL REFERENCES applications, release INTEGER NOT NULL, generation INTEGER NOT NULL, id BLOB NOT NULL,
            publish_id BLOB NOT NULL, body_hash BLOB NOT NULL, time INTEGER NOT NULL, actor TEXT NOT NULL, signature BLOB, header BLOB NOT NULL,
            PRIMARY KEY (topic, release))
        """,
        """
        CREATE TABLE changes (
            topic INTEGER NOT NULL, key TEXT NOT NULL, release INTEGER NOT NULL, form INTEGER NOT NULL, length INTEGER NOT NULL,
            digest BLOB REFERENCES content,
            PRIMARY KEY (topic, key, release), FOREIGN KEY (topic, release) REFERENCES releases) WITHOUT ROWID
        """,
        """
        CREATE TABLE keys (
            topic INTEGER NOT NULL REFERENCES applications, key TEXT NOT NULL, release INTEGER NOT NULL, form INTEGER NOT NULL, length INTEGER NOT NULL,
            digest BLOB NOT NULL REFERENCES content, PRIMARY KEY (topic, key)) WITHOUT ROWID
        """,
        """
        CREATE TABLE audit (
            number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
            application TEXT, release INTEGER, detail TEXT NOT NULL)
        """,
        "CREATE INDEX audit_by_application ON audit (application, number)",
        """
        CREATE TABLE tokens (
            id TEXT NOT NULL PRIMARY KEY, secret_hash BLOB NOT NULL, created INTEGER NOT NULL, expires INTEGER, revoked INTEGER,
            name TEXT NOT NULL DEFAULT '') WITHOUT ROWID
        """,
        Grants,
    ];

    private const string Grants =
        """
        CREATE TABLE grants (
            token TEXT NOT NULL REFERENCES tokens, application TEXT NOT NULL, role INTEGER NOT NULL, PRIMARY KEY (token, application)) WITHOUT ROWID
        """;

    /// <summary>
    /// Opens a file as a store: creates the tables in an empty one, refuses one of another program or a later version, and configures
    /// durable writes. An older format is upgraded only if allowed: by a host, since no other process then writes to it.
    /// </summary>
    public static SqliteDatabase Open(string path, int busyTimeoutMs, bool mayTakeOver)
    {
        SqliteDatabase? database = null;
        try
        {
            database = new SqliteDatabase(path, busyTimeoutMs);
            Check(database, path, mayTakeOver);
            database.Run("PRAGMA journal_mode = WAL");
            database.Run("PRAGMA synchronous = FULL");
            database.Run("PRAGMA foreign_keys = ON");
            database.Run(string.Create(CultureInfo.InvariantCulture, $"PRAGMA cache_size = -{PageCacheKib}"));
            Create(database);
            return database;
        }
        catch (SqliteException e)
        {
            database?.Dispose();
            throw Unreadable(path, e);
        }
        catch
        {
            database?.Dispose();
            throw;
        }
    }

    /// <summary>The exception for a file that SQLite cannot read.</summary>
    public static StoreException Unreadable(string path, Exception e) => e is SqliteException { IsBusy: true }
        ? new($"The store '{path}' stayed locked by another process ({e.Message}). Stop that process, or try again later.", e)
        : new(
            $"The store '{path}' cannot be read ({e.Message}). It is damaged or not a store of Ripple: "
                + $"check the path and the disk, or restore a backup.",
            e);

    private static void Check(SqliteDatabase database, string path, bool mayTakeOver)
    {
        long tables = database.Number("SELECT count(*) FROM sqlite_master");
        if (tables == 0)
        {
            return;
        }

        if (database.Number("PRAGMA application_id") != ApplicationId)
        {
            throw new StoreException(
                $"The file '{path}' is an SQLite database of another program. "
                    + $"Give the path of a store of Ripple, or of a file that does not exist yet.");
        }

        long format = database.Number("SELECT value FROM settings WHERE name = 'format_version'");
        if (format > FormatVersion)
        {
            throw new StoreFormatException(path, format, FormatVersion);
        }

        if (format is >= 1 and < FormatVersion && !mayTakeOver)
        {
            throw new StoreException(
                $"The store '{path}' has format {format}; a host of this version makes format {FormatVersion} of it when it starts. "
                    + $"Start the host first: one of the version before may still be running on it.");
        }

        if (format < 1)
        {
            throw new StoreException($"The store '{path}' does not say its format. It is damaged: restore a backup.");
        }
    }

    private static void Create(SqliteDatabase database)
    {
        // Two processes may get here concurrently: the second finds the tables already created.
        database.Run("BEGIN IMMEDIATE");
        if (database.Number("SELECT count(*) FROM sqlite_master") == 0)
        {
            foreach (string table in Tables)
            {
                database.Run(table);
            }

            database.Run(string.Create(CultureInfo.InvariantCulture, $"PRAGMA application_id = {ApplicationId}"));
            database.Run(string.Create(CultureInfo.InvariantCulture, $"INSERT INTO settings VALUES ('format_version', {FormatVersion})"));
        }

        else if (database.Number("SELECT value FROM settings WHERE name = 'format_version'") == 1)
        {
            GrantsFromTokens(database);
        }

        database.Run("COMMIT");
    }

    /// <summary>Upgrades format 1, with one role for all applications in the token's row, to format 2, with one row per grant.</summary>
    private static void GrantsFromTokens(SqliteDatabase database)
    {
        database.Run(Grants);
        var rows = new List<(string Token, string Application, long Role)>();
        using (SqliteStatement tokens = database.Prepare("SELECT id, applications, role FROM tokens"))
        {
            while (tokens.Step())
            {
                rows.AddRange(tokens.Text(1).Split(',').Select(application => (tokens.Text(0), application, tokens.Int64(2))));
            }
        }

        foreach ((string token, string application, long role) in rows)
        {
            using SqliteStatement grant = database.Prepare("INSERT INTO grants (token, application, role) VALUES (?, ?, ?)");
            grant.Bind(1, token).Bind(2, application).Bind(3, role).Run();
        }

        database.Run("ALTER TABLE tokens DROP COLUMN applications");
        database.Run("ALTER TABLE tokens DROP COLUMN role");
        database.Run("ALTER TABLE tokens ADD COLUMN name TEXT NOT NULL DEFAULT ''");
        database.Run("UPDATE settings SET value = 2 WHERE name = 'format_version'");
    }
}
