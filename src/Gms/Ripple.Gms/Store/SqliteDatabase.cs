using System.Globalization;
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

/// <summary>
/// One prepared statement: bind by position from 1, step, read columns from 0. Disposing resets it for reuse; the database owns it.
/// </summary>
internal sealed class SqliteStatement(sqlite3 database, sqlite3_stmt statement) : IDisposable
{
    public SqliteStatement Bind(int index, long value) => Checked(raw.sqlite3_bind_int64(statement, index, value));

    public SqliteStatement Bind(int index, ulong value) => Bind(index, checked((long)value));

    public SqliteStatement Bind(int index, string? value) =>
        Checked(value is null ? raw.sqlite3_bind_null(statement, index) : raw.sqlite3_bind_text(statement, index, value));

    // An empty blob has a null pointer, which SQLite would take for NULL.
    public SqliteStatement Bind(int index, ReadOnlySpan<byte> value) =>
        Checked(value.IsEmpty ? raw.sqlite3_bind_zeroblob(statement, index, 0) : raw.sqlite3_bind_blob(statement, index, value));

    public SqliteStatement BindNull(int index) => Checked(raw.sqlite3_bind_null(statement, index));

    /// <summary>True if there is a row, false at the end.</summary>
    public bool Step()
    {
        int code = raw.sqlite3_step(statement);
        return code switch
        {
            raw.SQLITE_ROW => true,
            raw.SQLITE_DONE => false,
            _ => throw new SqliteException(raw.sqlite3_extended_errcode(database), raw.sqlite3_errmsg(database).utf8_to_string()),
        };
    }

    /// <summary>Runs to completion; for statements without rows, or whose rows do not matter.</summary>
    public void Run()
    {
        while (Step())
        {
        }
    }

    public bool IsNull(int column) => raw.sqlite3_column_type(statement, column) == raw.SQLITE_NULL;

    public long Int64(int column) => raw.sqlite3_column_int64(statement, column);

    public ulong UInt64(int column) => (ulong)Int64(column);

    public string Text(int column) => raw.sqlite3_column_text(statement, column).utf8_to_string() ?? "";

    /// <summary>Valid until the next step.</summary>
    public ReadOnlySpan<byte> Blob(int column) => raw.sqlite3_column_blob(statement, column);

    public void Dispose()
    {
        raw.sqlite3_reset(statement);
        raw.sqlite3_clear_bindings(statement);
    }

    /// <summary>Frees the native statement.</summary>
    public void Release() => statement.Dispose();

    private SqliteStatement Checked(int code) => code == raw.SQLITE_OK
        ? this
        : throw new SqliteException(code, raw.sqlite3_errmsg(database).utf8_to_string());
}

/// <summary>An error reported by SQLite.</summary>
internal sealed class SqliteException : Exception
{
    public SqliteException(int code, string message)
        : base(string.Create(CultureInfo.InvariantCulture, $"SQLite error {code}: {message}")) => Code = code & 0xFF;

    /// <summary>The primary result code.</summary>
    public int Code { get; }

    /// <summary>True if another process holds the lock; the disk is fine.</summary>
    public bool IsBusy => Code is raw.SQLITE_BUSY or raw.SQLITE_LOCKED;

    /// <summary>
    /// True if the disk had no room. SQLite says that of a write alone, never of a flush: the last part of a commit in the log, which makes
    /// it count, was not written.
    /// </summary>
    public bool IsFull => Code is raw.SQLITE_FULL;

    /// <summary>True if the disk failed, or could not make room for memory that is shared.</summary>
    public bool IsIo => Code is raw.SQLITE_IOERR;

    /// <summary>True if the disk failed, or memory: what may be otherwise the next time, unlike a damaged file.</summary>
    public bool MayPass => Code is raw.SQLITE_FULL or raw.SQLITE_IOERR or raw.SQLITE_CANTOPEN or raw.SQLITE_NOMEM;

    /// <summary>True if a schema constraint was violated: the batch's fault, not the disk's.</summary>
    public bool IsConstraint => Code is raw.SQLITE_CONSTRAINT;
}
