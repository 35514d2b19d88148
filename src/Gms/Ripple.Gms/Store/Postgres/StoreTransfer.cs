using System.Globalization;
using Npgsql;
using NpgsqlTypes;

namespace Ripple.Gms.Store.Postgres;

/// <summary>
/// Moves a whole store from a file into a database, or back: all rows as they are, in one transaction of the target, which must be empty.
/// No host has either open.
/// </summary>
internal static class StoreTransfer
{
    private const int BusyTimeoutMs = 5_000;

    // Of both, in an order that foreign keys allow: n a number, i a small one, t a text, b bytes.
    private static readonly (string Table, string Columns)[] Tables =
    [
        ("applications", "n topic, t name, n generation, n members_from, n history_from"),
        ("content", "b digest, b body"),
        ("releases", "n topic, n release, n generation, b id, b publish_id, b body_hash, n time, t actor, b signature, b header"),
        ("changes", "n topic, t key, n release, i form, i length, b digest"),
        ("keys", "n topic, t key, n release, i form, i length, b digest"),
        ("audit", "n number, n time, t actor, t action, t application, n release, t detail"),
        ("tokens", "t id, b secret_hash, t name, n created, n expires, n revoked, t made_by"),
        ("grants", "t token, t application, i role, t made_by"),
        ("members", "n topic, b node, n first_release, n last_release, b about"),
        ("revoked_nodes", "b node, t name, t application, n time, t actor, t reason"),
    ];

    private static readonly string[] Numbers = ["incarnation_counter", "generation_min", "tokens_version"];

    /// <summary>Moves a store from a file into a database; returns the number of rows.</summary>
    /// <exception cref="StoreException">One of them cannot be used, a host has it open, or the database has a store already.</exception>
    public static long ToDatabase(string path, PostgresAddress address) => Guarded(address, () =>
    {
        using IDisposable fileLock = StoreFiles.Lock(path);
        using SqliteDatabase file = StoreSchema.Open(path, BusyTimeoutMs, mayTakeOver: true);
        using PostgresSession session = OpenLocked(address);
        PostgresSchema.Prepare(session, mayMake: true);
        if (session.Scalar("SELECT 1 FROM commit_position WHERE number > 0") is not null)
        {
            throw new StoreException($"There is a store in {address} already. Give an empty database.");
        }

        session.Run("BEGIN");
        long count = Tables.Sum(t => Import(file, session, t.Table, Parse(t.Columns)));
        session.Run("SELECT setval(pg_get_serial_sequence('audit', 'number'), coalesce(max(number), 0) + 1, false) FROM audit");
        foreach (string name in Numbers)
        {
            if (SqliteReader.Setting(file, name) is var number && number != 0)
            {
                session.Run("INSERT INTO settings (name, number) VALUES ($1, $2)", Parameter.Text(name), Parameter.Number(number));
            }
        }

        if (SqliteReader.ClusterId(file) is { } cluster)
        {
            session.Run(
                "INSERT INTO settings (name, bytes) VALUES ('cluster_id', $1)", Parameter.Bytes(cluster.ToByteArray(bigEndian: true)));
        }

        session.Run("UPDATE slot SET epoch = $1", Parameter.Number(SqliteReader.Setting(file, "slot_epoch")));
        session.Run("UPDATE commit_position SET number = 1, nonces = ARRAY[1]::bigint[]");
        session.Run("COMMIT");
        return count;
    });

    /// <summary>Moves a store from a database into a file that is not there yet; returns the number of rows.</summary>
    /// <exception cref="StoreException">One of them cannot be used, a host has it open, or the file is there.</exception>
    public static long ToFile(PostgresAddress address, string path) => Guarded(address, () =>
    {
        if (File.Exists(path))
        {
            throw new StoreException($"There is a store '{path}' already. Move it away first.");
        }

        using PostgresSession session = OpenLocked(address);
        PostgresSchema.Prepare(session, mayMake: false);
        // Made under another name: one that was not filled to its end must not be taken for a store.
        string part = path + ".part";
        foreach (string suffix in (string[])["", "-wal", "-shm"])
        {
            File.Delete(part + suffix);
        }

        StoreFiles.Prepare(part);
        long count;
        using (SqliteDatabase file = StoreSchema.Open(part, BusyTimeoutMs, mayTakeOver: true))
        {
            file.Run("BEGIN IMMEDIATE");
            count = Tables.Sum(t => Export(session, file, t.Table, Parse(t.Columns)));
            session.Rows("SELECT name, number, bytes FROM settings WHERE name <> ALL ('{format_version,mark_id,earlier_marks}')", [], row =>
            {
                using SqliteStatement set = file.Prepare("INSERT INTO settings VALUES (?, ?)");
                set.Bind(1, row.GetString(0));
                Bind(set, 2, row, row.IsDBNull(2) ? 1 : 2, row.IsDBNull(2) ? 'n' : 'b');
                set.Run();
            });
            session.Rows("SELECT epoch FROM slot WHERE id = $1 AND epoch > 0", [Parameter.Int(PostgresSchema.Slot)], row =>
            {
                using SqliteStatement set = file.Prepare("INSERT INTO settings VALUES ('slot_epoch', ?)");
                set.Bind(1, row.GetInt64(0)).Run();
            });
            file.Run("COMMIT");
        }

        File.Move(part, path);
        return count;
    });

    private static (char Kind, string Name)[] Parse(string columns) =>
        [.. columns.Split(", ").Select(c => (c[0], c[2..]))];

    private static string Names((char Kind, string Name)[] columns) => string.Join(", ", columns.Select(c => c.Name));

    private static PostgresSession OpenLocked(PostgresAddress address)
    {
        PostgresSession session = PostgresSession.Open(address, PostgresAddress.CommitsName, BusyTimeoutMs, isReadOnly: false);
        if (session.TryLock())
        {
            return session;
        }

        session.Dispose();
        throw new StoreException($"The store in {address} is in use by a host. Stop it first.");
    }

    private static long Import(SqliteDatabase file, PostgresSession session, string table, (char Kind, string Name)[] columns)
    {
        long count = 0;
        session.Import($"COPY {table} ({Names(columns)}) FROM STDIN (FORMAT BINARY)", rows =>
        {
            using SqliteStatement next = file.Prepare($"SELECT {Names(columns)} FROM {table}");
            while (next.Step())
            {
                count++;
                rows.StartRow();
                for (int i = 0; i < columns.Length; i++)
                {
                    Write(rows, next, i, columns[i].Kind);
                }
            }
        });
        return count;
    }

    private static void Write(NpgsqlBinaryImporter rows, SqliteStatement row, int column, char kind)
    {
        if (row.IsNull(column))
        {
            rows.WriteNull();
            return;
        }

        switch (kind)
        {
            case 'n':
                rows.Write(row.Int64(column), NpgsqlDbType.Bigint);
                break;
            case 'i':
                rows.Write((int)row.Int64(column), NpgsqlDbType.Integer);
                break;
            case 't':
                rows.Write(Parameter.Storable(row.Text(column)), NpgsqlDbType.Text);
                break;
            default:
                rows.Write(row.Blob(column).ToArray(), NpgsqlDbType.Bytea);
                break;
        }
    }

    private static long Export(PostgresSession session, SqliteDatabase file, string table, (char Kind, string Name)[] columns)
    {
        long count = 0;
        string places = string.Join(", ", columns.Select(_ => "?"));
        session.Rows($"SELECT {Names(columns)} FROM {table}", [], row =>
        {
            count++;
            using SqliteStatement add = file.Prepare($"INSERT INTO {table} ({Names(columns)}) VALUES ({places})");
            for (int i = 0; i < columns.Length; i++)
            {
                Bind(add, i + 1, row, i, columns[i].Kind);
            }

            add.Run();
        });
        return count;
    }

    private static void Bind(SqliteStatement add, int index, NpgsqlDataReader row, int column, char kind)
    {
        if (row.IsDBNull(column))
        {
            add.BindNull(index);
            return;
        }

        switch (kind)
        {
            case 'n':
                add.Bind(index, row.GetInt64(column));
                break;
            case 'i':
                add.Bind(index, (long)row.GetInt32(column));
                break;
            case 't':
                add.Bind(index, row.GetString(column));
                break;
            default:
                add.Bind(index, row.GetFieldValue<byte[]>(column));
                break;
        }
    }

    private static long Guarded(PostgresAddress address, Func<long> move)
    {
        try
        {
            return move();
        }
        catch (SqliteException e)
        {
            throw new StoreException($"The store in the file cannot be read or written ({e.Message}). Check the disk.", e);
        }
        catch (Exception e) when (e is NpgsqlException or IOException or TimeoutException or UnauthorizedAccessException)
        {
            throw new StoreException(string.Create(
                CultureInfo.InvariantCulture,
                $"The store was not moved: {(e is NpgsqlException ? PostgresAddress.Describe(e) : e.Message)}. "
                    + $"Look after {address}, and the disk of the file. What was there before is as it was."));
        }
    }
}
