namespace Ripple.Gms.Store;

/// <summary>One request to the store's thread: a commit, or a read. Done first, then told: nobody hears of what is not durable.</summary>
internal abstract class StoreWork
{
    /// <summary>What it takes in the queue.</summary>
    public virtual long Bytes => 0;

    /// <summary>Ends it without doing it.</summary>
    public abstract void Fail(StoreStatus status, string reason);

    /// <summary>Calls back; once, last.</summary>
    public abstract void Tell();
}
