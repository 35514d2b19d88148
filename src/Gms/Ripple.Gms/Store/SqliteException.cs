using System.Globalization;
using SQLitePCL;

namespace Ripple.Gms.Store;

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
