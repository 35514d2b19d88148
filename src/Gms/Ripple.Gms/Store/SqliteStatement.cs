using SQLitePCL;

namespace Ripple.Gms.Store;

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
