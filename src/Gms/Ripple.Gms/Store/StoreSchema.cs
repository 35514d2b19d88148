using System.Globalization;

namespace Ripple.Gms.Store;

/// <summary>The tables, their format, and the opening of a file as a store.</summary>
internal static class StoreSchema
{
    /// <summary>The format that this version writes, and the latest it reads.</summary>
    public const int FormatVersion = 5;

    /// <summary>The size of SQLite's page cache, in KiB.</summary>
    public const int PageCacheKib = 2_000;

    // "Rip1": distinguishes a store from other SQLite files.
    private const long ApplicationId = 0x52697031;

    // Keys compare by their UTF-8 bytes (SQLite's BINARY), as in KeyOrder. Long columns are last, so that reading the others skips their
    // pages.
    private static readonly string[] Tables =
    [
        "CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID",
        "CREATE TABLE applications (topic INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, generation INTEGER NOT NULL, "
            + "members_from INTEGER NOT NULL DEFAULT 1, history_from INTEGER NOT NULL DEFAULT 1)",
        "CREATE TABLE content (digest BLOB NOT NULL PRIMARY KEY, body BLOB NOT NULL)",
        """
        CREATE TABLE releases (
            topic INTEGER NOT NULL REFERENCES applications, release INTEGER NOT NULL, generation INTEGER NOT NULL, id BLOB NOT NULL,
            publish_id BLOB NOT NULL, body_hash BLOB NOT NULL, time INTEGER NOT NULL, actor TEXT NOT NULL, signature BLOB, header BLOB NOT NULL,
            PRIMARY KEY (topic, release))
        """,
        Changes,
        Keys,
        """
        CREATE TABLE audit (
            number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
            application TEXT, release INTEGER, detail TEXT NOT NULL)
        """,
        ChangesByDigest,
        "CREATE INDEX audit_by_application ON audit (application, number)",
        """
        CREATE TABLE tokens (
            id TEXT NOT NULL PRIMARY KEY, secret_hash BLOB NOT NULL, created INTEGER NOT NULL, expires INTEGER, revoked INTEGER,
            name TEXT NOT NULL DEFAULT '') WITHOUT ROWID
        """,
        Grants,
        Members,
        MembersGone,
        TokenMakers,
        GrantMakers,
        RevokedNodes,
    ];

    // A change outlives its release where history was shortened, for as long as nothing took its place.
    private const string Changes =
        """
        CREATE TABLE changes (
            topic INTEGER NOT NULL REFERENCES applications, key TEXT NOT NULL, release INTEGER NOT NULL, form INTEGER NOT NULL,
            length INTEGER NOT NULL,
            digest BLOB REFERENCES content, PRIMARY KEY (topic, key, release)) WITHOUT ROWID
        """;

    // Each has the value of the newest change of its key, which refers to it.
    private const string Keys =
        """
        CREATE TABLE keys (
            topic INTEGER NOT NULL REFERENCES applications, key TEXT NOT NULL, release INTEGER NOT NULL, form INTEGER NOT NULL,
            length INTEGER NOT NULL,
            digest BLOB NOT NULL, PRIMARY KEY (topic, key)) WITHOUT ROWID
        """;

    private const string Grants =
        """
        CREATE TABLE grants (
            token TEXT NOT NULL REFERENCES tokens, application TEXT NOT NULL, role INTEGER NOT NULL, PRIMARY KEY (token, application)) WITHOUT ROWID
        """;

    // Says which application has a value, so that nobody is given another's.
    private const string ChangesByDigest = "CREATE INDEX changes_by_digest ON changes (digest, topic)";

    private const string Members =
        """
        CREATE TABLE members (
            topic INTEGER NOT NULL REFERENCES applications, node BLOB NOT NULL, first_release INTEGER NOT NULL, last_release INTEGER,
            about BLOB NOT NULL, PRIMARY KEY (topic, node, first_release)) WITHOUT ROWID
        """;

    private const string MembersGone = "CREATE INDEX members_gone ON members (topic, last_release) WHERE last_release IS NOT NULL";

    private const string TokenMakers = "ALTER TABLE tokens ADD COLUMN made_by TEXT";

    private const string GrantMakers = "ALTER TABLE grants ADD COLUMN made_by TEXT";

    private const string RevokedNodes =
        """
        CREATE TABLE revoked_nodes (
            node BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL, application TEXT, time INTEGER NOT NULL, actor TEXT NOT NULL,
            reason TEXT NOT NULL) WITHOUT ROWID
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
            if (!string.Equals(database.Text("PRAGMA journal_mode = WAL"), "wal", StringComparison.OrdinalIgnoreCase))
            {
                throw new StoreException(
                    $"The file system of '{path}' has no shared memory, which a write-ahead log takes. Put the store on a local disk.");
            }

            database.Run("PRAGMA synchronous = FULL");
            // macOS alone has a flush that ends in the disk's cache, and takes this to go on to the disk.
            database.Run("PRAGMA fullfsync = ON");
            database.Run("PRAGMA checkpoint_fullfsync = ON");
            database.Run(string.Create(CultureInfo.InvariantCulture, $"PRAGMA cache_size = -{PageCacheKib}"));
            // While a format is taken over: what lacks a value would not be a store any more, on which a host served until then.
            database.Run("PRAGMA foreign_keys = OFF");
            Create(database);
            database.Run("PRAGMA foreign_keys = ON");
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

    /// <summary>Opens a second connection to an open store, which changes nothing.</summary>
    public static SqliteDatabase OpenForReads(string path, int busyTimeoutMs)
    {
        SqliteDatabase? database = null;
        try
        {
            database = new SqliteDatabase(path, busyTimeoutMs);
            database.Run("PRAGMA query_only = ON");
            database.Run(string.Create(CultureInfo.InvariantCulture, $"PRAGMA cache_size = -{PageCacheKib}"));
            return database;
        }
        catch (SqliteException e)
        {
            database?.Dispose();
            throw Unreadable(path, e);
        }
    }

    /// <summary>The exception for a file that SQLite cannot read.</summary>
    public static StoreException Unreadable(string path, Exception e) => e switch
    {
        SqliteException { IsBusy: true } =>
            new($"The store '{path}' stayed locked by another process ({e.Message}). Stop that process, or try again later.", e),
        SqliteException { IsFull: true } or SqliteException { IsIo: true } => new(
            string.Create(
                CultureInfo.InvariantCulture,
                $"The disk of the store '{path}' is full or fails ({e.Message}; {StoreSpace.FreeOn(path)} bytes are free). "
                    + $"Make room, or check its health, and start again."),
            e),
        _ => new(
            $"The store '{path}' cannot be read ({e.Message}). It is damaged or not a store of Ripple: "
                + $"check the path and the disk, or restore a backup.",
            e),
    };

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
        else
        {
            TakeOver(database);
        }

        database.Run("COMMIT");
    }

    /// <summary>Brings an older format to this one, step by step.</summary>
    private static void TakeOver(SqliteDatabase database)
    {
        const string Format = "SELECT value FROM settings WHERE name = 'format_version'";
        if (database.Number(Format) == 1)
        {
            GrantsFromTokens(database);
        }

        if (database.Number(Format) == 2)
        {
            MembersFromNowOn(database);
        }

        if (database.Number(Format) == 3)
        {
            ToFormat4(database);
        }

        if (database.Number(Format) == 4)
        {
            ToFormat5(database);
        }
    }

    /// <summary>
    /// Upgrades format 4, in which a change held its release in the store, and a key its value, to format 5, whose history can be
    /// shortened.
    /// </summary>
    private static void ToFormat5(SqliteDatabase database)
    {
        database.Run("ALTER TABLE applications ADD COLUMN history_from INTEGER NOT NULL DEFAULT 1");
        database.Run("DROP INDEX changes_by_digest");
        foreach ((string name, string table) in new[] { ("changes", Changes), ("keys", Keys) })
        {
            database.Run($"ALTER TABLE {name} RENAME TO {name}_before");
            database.Run(table);
            database.Run($"INSERT INTO {name} SELECT * FROM {name}_before");
            database.Run($"DROP TABLE {name}_before");
        }

        database.Run(ChangesByDigest);
        database.Run("UPDATE settings SET value = 5 WHERE name = 'format_version'");
    }

    /// <summary>
    /// Upgrades format 3, which did not know who made a token or gave a role, to format 4, which knows it of new ones, has revoked nodes,
    /// and finds an application's values by digest.
    /// </summary>
    private static void ToFormat4(SqliteDatabase database)
    {
        database.Run(TokenMakers);
        database.Run(GrantMakers);
        database.Run(RevokedNodes);
        database.Run(ChangesByDigest);
        database.Run("UPDATE settings SET value = 4 WHERE name = 'format_version'");
    }

    /// <summary>
    /// Upgrades format 2, which did not know who was a member at a release, to format 3, which knows it of releases from now on.
    /// </summary>
    private static void MembersFromNowOn(SqliteDatabase database)
    {
        database.Run(Members);
        database.Run(MembersGone);
        database.Run("ALTER TABLE applications ADD COLUMN members_from INTEGER NOT NULL DEFAULT 1");
        database.Run(
            "UPDATE applications SET members_from = "
                + "1 + coalesce((SELECT max(release) FROM releases WHERE releases.topic = applications.topic), 0)");
        database.Run("UPDATE settings SET value = 3 WHERE name = 'format_version'");
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
