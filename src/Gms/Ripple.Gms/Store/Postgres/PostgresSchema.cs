using System.Globalization;
using Npgsql;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// The tables of a store in a database, in a schema of their own. They hold what those of a file hold, in the same format, and besides who
/// may commit and how often somebody did.
/// </summary>
internal static class PostgresSchema
{
    /// <summary>The name of the schema.</summary>
    public const string Name = "ripple";

    /// <summary>The advisory lock of the host that has the store open; "RipL".</summary>
    public const long HostLock = 0x5269_704C;

    /// <summary>The slot that leads all applications. The table has room for more.</summary>
    public const int Slot = 0;

    /// <summary>The number of newest nonces that are kept: a commit whose end is not known is found among them.</summary>
    public const int NoncesKept = 16;

    private const long MakingLock = 0x5269_704D;

    // Texts compare by their UTF-8 bytes, as in KeyOrder. What refers to an application does so without a foreign key: each commit would
    // lock the application's row, and only a host writes here, by rules that it checks.
    private static readonly string[] Tables =
    [
        "CREATE TABLE settings (name text COLLATE \"C\" PRIMARY KEY, number bigint, bytes bytea)",
        // Written by a start or a takeover alone: every commit locks it for share.
        "CREATE TABLE slot (id int PRIMARY KEY, epoch bigint NOT NULL)",
        "CREATE TABLE commit_position (id int PRIMARY KEY, number bigint NOT NULL, nonces bigint[] NOT NULL) WITH (fillfactor = 50)",
        """
        CREATE TABLE applications (
            topic bigint PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, generation bigint NOT NULL,
            members_from bigint NOT NULL DEFAULT 1, history_from bigint NOT NULL DEFAULT 1)
        """,
        "CREATE TABLE content (digest bytea PRIMARY KEY, body bytea NOT NULL)",
        """
        CREATE TABLE releases (
            topic bigint NOT NULL, release bigint NOT NULL, generation bigint NOT NULL, id bytea NOT NULL, publish_id bytea NOT NULL,
            body_hash bytea NOT NULL, time bigint NOT NULL, actor text COLLATE "C" NOT NULL, signature bytea, header bytea NOT NULL,
            PRIMARY KEY (topic, release))
        """,
        """
        CREATE TABLE changes (
            topic bigint NOT NULL, key text COLLATE "C" NOT NULL, release bigint NOT NULL, form int NOT NULL, length int NOT NULL,
            digest bytea REFERENCES content, PRIMARY KEY (topic, key, release))
        """,
        "CREATE INDEX changes_by_digest ON changes (digest, topic)",
        """
        CREATE TABLE keys (
            topic bigint NOT NULL, key text COLLATE "C" NOT NULL, release bigint NOT NULL, form int NOT NULL, length int NOT NULL,
            digest bytea NOT NULL, PRIMARY KEY (topic, key))
        """,
        """
        CREATE TABLE audit (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, time bigint NOT NULL, actor text COLLATE "C" NOT NULL,
            action text COLLATE "C" NOT NULL, application text COLLATE "C", release bigint, detail text COLLATE "C" NOT NULL)
        """,
        "CREATE INDEX audit_by_application ON audit (application, number)",
        """
        CREATE TABLE tokens (
            id text COLLATE "C" PRIMARY KEY, secret_hash bytea NOT NULL, name text COLLATE "C" NOT NULL, created bigint NOT NULL,
            expires bigint, revoked bigint, made_by text COLLATE "C")
        """,
        """
        CREATE TABLE grants (
            token text COLLATE "C" NOT NULL REFERENCES tokens, application text COLLATE "C" NOT NULL, role int NOT NULL,
            made_by text COLLATE "C", PRIMARY KEY (token, application))
        """,
        """
        CREATE TABLE members (
            topic bigint NOT NULL, node bytea NOT NULL, first_release bigint NOT NULL, last_release bigint, about bytea NOT NULL,
            PRIMARY KEY (topic, node, first_release))
        """,
        "CREATE INDEX members_gone ON members (topic, last_release) WHERE last_release IS NOT NULL",
        """
        CREATE TABLE revoked_nodes (
            node bytea PRIMARY KEY, name text COLLATE "C" NOT NULL, application text COLLATE "C", time bigint NOT NULL,
            actor text COLLATE "C" NOT NULL, reason text COLLATE "C" NOT NULL)
        """,
    ];

    /// <summary>What the hosts of a cluster share besides the store. Made at any time, also before a store.</summary>
    private static readonly string[] ClusterTables =
    [
        // Not in the slot's row: renewals and commits never wait for each other.
        """
        CREATE TABLE IF NOT EXISTS lease (
            slot int PRIMARY KEY, holder uuid NOT NULL, name text COLLATE "C" NOT NULL, endpoint text COLLATE "C" NOT NULL,
            until timestamptz NOT NULL)
        """,
        "CREATE TABLE IF NOT EXISTS authority (cluster uuid PRIMARY KEY, sealed bytea NOT NULL)",
        "CREATE TABLE IF NOT EXISTS signers (serial text COLLATE \"C\" PRIMARY KEY, certificate bytea NOT NULL)",
        """
        CREATE TABLE IF NOT EXISTS hosts (
            name text COLLATE "C" PRIMARY KEY, endpoint text COLLATE "C" NOT NULL, seen timestamptz NOT NULL)
        """,
    ];

    /// <summary>Makes the tables that hosts share, where they are missing.</summary>
    /// <exception cref="StoreException">They cannot be made.</exception>
    public static void PrepareCluster(PostgresSession session)
    {
        const string Count =
            "SELECT count(*) FROM pg_tables WHERE schemaname = $1 AND tablename IN ('lease', 'authority', 'signers', 'hosts')";
        // A schema of another program is left as it is.
        _ = Format(session);
        if (Convert.ToInt32(session.Scalar(Count, Parameter.Text(Name)), CultureInfo.InvariantCulture) < ClusterTables.Length)
        {
            MakeTables(session, () => ClusterTables);
        }
    }

    /// <summary>
    /// Looks whether the database has a store that this version reads, and makes an empty one in a database that has none, for a host.
    /// </summary>
    /// <exception cref="StoreException">It has a schema of something else, or a store of another format.</exception>
    public static void Prepare(PostgresSession session, bool mayMake)
    {
        if (Format(session) is not { } format)
        {
            if (!mayMake)
            {
                throw new StoreException($"There is no store in {session.Address}. Start a host on it first.");
            }

            Make(session);
            return;
        }

        if (format > StoreSchema.FormatVersion)
        {
            throw new StoreFormatException(session.Address.ToString(), format, StoreSchema.FormatVersion);
        }

        if (format != StoreSchema.FormatVersion)
        {
            throw new StoreException(
                $"The store in {session.Address} has format {format}, which no version wrote into a database. Restore a backup.");
        }
    }

    private static long? Format(PostgresSession session)
    {
        object? tables = session.Scalar(
            "SELECT count(*) FILTER (WHERE tablename = 'settings') * 1000 + count(*) FROM pg_tables WHERE schemaname = $1 "
                + "AND tablename NOT IN ('lease', 'authority', 'signers', 'hosts')",
            Parameter.Text(Name));
        return Convert.ToInt64(tables, CultureInfo.InvariantCulture) switch
        {
            0 => null,
            < 1000 => throw new StoreException(
                $"The schema '{Name}' in {session.Address} is of another program. Give a database that has none."),
            _ => session.Scalar("SELECT number FROM settings WHERE name = 'format_version'") is long format
                ? format
                : throw new StoreException($"The store in {session.Address} does not say its format. It is damaged: restore a backup."),
        };
    }

    private static void Make(PostgresSession session) => MakeTables(session, () => Format(session) is not null ? [] :
    [
        .. Tables,
        string.Create(
            CultureInfo.InvariantCulture,
            $"INSERT INTO settings (name, number) VALUES ('format_version', {StoreSchema.FormatVersion})"),
        string.Create(CultureInfo.InvariantCulture, $"INSERT INTO slot VALUES ({Slot}, 0)"),
        string.Create(CultureInfo.InvariantCulture, $"INSERT INTO commit_position VALUES ({Slot}, 0, '{{}}')"),
    ]);

    private static void MakeTables(PostgresSession session, Func<IReadOnlyList<string>> missing)
    {
        try
        {
            session.Run("BEGIN");
            // Two hosts may come here at the same time: the second finds what the first made.
            session.Run("SELECT pg_advisory_xact_lock($1)", Parameter.Number(MakingLock));
            // A schema that is there was given to this user: then it need not be allowed to make one.
            if (session.Scalar("SELECT 1 FROM pg_namespace WHERE nspname = $1", Parameter.Text(Name)) is null)
            {
                session.Run($"CREATE SCHEMA {Name}");
            }

            foreach (string statement in missing())
            {
                session.Run(statement);
            }

            session.Run("COMMIT");
        }
        catch (PostgresException e)
        {
            throw new StoreException(
                $"The tables of a store cannot be made in {session.Address} ({e.MessageText}, {e.SqlState}). "
                    + $"Give a user that may make a schema there, or make the schema '{Name}' and let it belong to that user.");
        }
    }
}
