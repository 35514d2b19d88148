namespace Ripple.Gms.Store;

/// <summary>How a commit ended.</summary>
/// <param name="Status">Durable, or why not.</param>
/// <param name="Reason">What was wrong and what to do; null when done.</param>
internal readonly record struct CommitResult(StoreStatus Status, string? Reason)
{
    /// <summary>True when the batch is durable.</summary>
    public bool IsDone => Status == StoreStatus.Done;
}
