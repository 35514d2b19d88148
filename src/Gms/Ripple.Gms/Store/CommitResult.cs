namespace Ripple.Gms.Store;

/// <summary>The outcome of a commit.</summary>
/// <param name="Status">The status.</param>
/// <param name="Reason">The problem and the remedy; null when done.</param>
internal readonly record struct CommitResult(StoreStatus Status, string? Reason)
{
    /// <summary>True if the batch is durable.</summary>
    public bool IsDone => Status == StoreStatus.Done;
}
