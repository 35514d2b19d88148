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

    /// <summary>True if a schema constraint was violated: the batch's fault, not the disk's.</summary>
    public bool IsConstraint => Code is raw.SQLITE_CONSTRAINT;
}
