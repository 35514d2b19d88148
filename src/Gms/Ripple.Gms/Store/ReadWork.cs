namespace Ripple.Gms.Store;

/// <summary>A read request.</summary>
internal abstract class ReadWork : StoreWork
{
    /// <summary>The number of commits that were requested before it.</summary>
    public long CommitsBefore { get; init; }

    public abstract void Read(SqliteReader reader);
}
