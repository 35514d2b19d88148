namespace Ripple.Gms.Store;

/// <summary>
/// One request to the store's thread: a commit or a read. Callbacks run only after execution, so no one sees a result that is not durable.
/// </summary>
internal abstract class StoreWork
{
    /// <summary>Bytes it occupies in the queue.</summary>
    public virtual long Bytes => 0;

    /// <summary>Ends it as failed, without executing it.</summary>
    public abstract void Fail(StoreStatus status, string reason);

    /// <summary>Runs the callback; called once, last.</summary>
    public abstract void Tell();
}
