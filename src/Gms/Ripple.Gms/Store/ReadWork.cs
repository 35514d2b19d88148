namespace Ripple.Gms.Store;

/// <summary>Something to be read.</summary>
internal abstract class ReadWork : StoreWork
{
    public abstract void Read(SqliteReader reader);
}
