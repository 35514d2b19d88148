using System.Globalization;
using SQLitePCL;

namespace Ripple.Gms.Store;

/// <summary>SQLite said no.</summary>
internal sealed class SqliteException : Exception
{
    public SqliteException(int code, string message)
        : base(string.Create(CultureInfo.InvariantCulture, $"SQLite error {code}: {message}")) => Code = code & 0xFF;

    /// <summary>The primary result code.</summary>
    public int Code { get; }

    /// <summary>Another process holds the lock; nothing is wrong with the disk.</summary>
    public bool IsBusy => Code is raw.SQLITE_BUSY or raw.SQLITE_LOCKED;

    /// <summary>A rule of the schema was broken: the batch's fault, not the disk's.</summary>
    public bool IsConstraint => Code is raw.SQLITE_CONSTRAINT;
}
