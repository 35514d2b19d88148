namespace Ripple.Gms.Store;

/// <summary>A read request.</summary>
internal abstract class ReadWork : StoreWork
{
    public abstract void Read(SqliteReader reader);
}
