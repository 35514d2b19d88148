using SQLitePCL;

namespace Ripple.Gms.Store;

/// <summary>One SQLite connection with its prepared statements. Used by one thread at a time.</summary>
internal sealed class SqliteDatabase : IDisposable
{
    private readonly sqlite3 _database;
    private readonly Dictionary<string, SqliteStatement> _statements = new(StringComparer.Ordinal);

    static SqliteDatabase() => SqliteLibrary.Begin();

    /// <summary>The version of the SQLite in use, and the source it was made of.</summary>
    public static (string Version, string Source) Version =>
        (raw.sqlite3_libversion().utf8_to_string(), raw.sqlite3_sourceid().utf8_to_string());

    public SqliteDatabase(string path, int busyTimeoutMs)
    {
        int code = raw.sqlite3_open_v2(
            path, out _database, raw.SQLITE_OPEN_READWRITE | raw.SQLITE_OPEN_CREATE | raw.SQLITE_OPEN_NOMUTEX, null);
        if (code != raw.SQLITE_OK)
        {
            string message = raw.sqlite3_errmsg(_database).utf8_to_string();
            _database.Dispose();
            throw new SqliteException(code, message);
        }

        SetBusyTimeout(busyTimeoutMs);
    }

    /// <summary>Sets how long to wait for another process's lock, in milliseconds.</summary>
    public void SetBusyTimeout(int busyTimeoutMs) => raw.sqlite3_busy_timeout(_database, busyTimeoutMs);

    /// <summary>Returns a statement, prepared once per text. Dispose it before using the same text again.</summary>
    public SqliteStatement Prepare(string sql)
    {
        if (!_statements.TryGetValue(sql, out SqliteStatement? statement))
        {
            int code = raw.sqlite3_prepare_v2(_database, sql, out sqlite3_stmt prepared);
            if (code != raw.SQLITE_OK)
            {
                throw new SqliteException(code, raw.sqlite3_errmsg(_database).utf8_to_string());
            }

            statement = new(_database, prepared);
            _statements.Add(sql, statement);
        }

        return statement;
    }

    /// <summary>Runs one statement without parameters.</summary>
    public void Run(string sql)
    {
        using SqliteStatement statement = Prepare(sql);
        statement.Run();
    }

    /// <summary>The number in the first column of the first row; 0 if there is no row.</summary>
    public long Number(string sql)
    {
        using SqliteStatement statement = Prepare(sql);
        return statement.Step() ? statement.Int64(0) : 0;
    }

    /// <summary>The text in the first column of the first row; empty if there is no row.</summary>
    public string Text(string sql)
    {
        using SqliteStatement statement = Prepare(sql);
        return statement.Step() ? statement.Text(0) : string.Empty;
    }

    /// <summary>True while a transaction is open; SQLite itself ends one on some errors.</summary>
    public bool IsInTransaction => raw.sqlite3_get_autocommit(_database) == 0;

    public void Dispose()
    {
        foreach (SqliteStatement statement in _statements.Values)
        {
            statement.Release();
        }

        _statements.Clear();
        _database.Dispose();
    }
}
