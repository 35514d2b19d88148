namespace Ripple.Gms.Store;

/// <summary>Awaitable store calls, for tools, startup code and tasks.</summary>
internal static class StoreCalls
{
    /// <summary>Commits a batch; completes once it is durable.</summary>
    /// <exception cref="StoreBusyException">The store is full, closed or locked by another process; nothing was done.</exception>
    /// <exception cref="StoreFullException">The disk has no room; nothing was done.</exception>
    /// <exception cref="StoreRuleException">The stored state forbids it; nothing was done.</exception>
    /// <exception cref="StoreException">The commit failed; the message states the reason and the remedy.</exception>
    public static async Task CommitAsync(this IHostStore store, CommitBatch batch)
    {
        ArgumentNullException.ThrowIfNull(store);
        var done = new TaskCompletionSource<CommitResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        CommitResult result = store.Commit(batch, done.SetResult)
            ? await done.Task.ConfigureAwait(false)
            : throw new StoreBusyException();
        if (!result.IsDone)
        {
            throw result.Status switch
            {
                StoreStatus.Refused => new StoreRuleException(result.Reason!),
                StoreStatus.Busy => new StoreBusyException(),
                StoreStatus.Full => new StoreFullException(result.Reason!),
                _ => new StoreException(result.Reason!),
            };
        }
    }

    /// <summary>Reads: <c>store.ReadAsync(done => store.ReadTokens(done))</c>.</summary>
    /// <exception cref="StoreBusyException">The store's queue is full or closed.</exception>
    /// <exception cref="StoreException">The read failed; the message states the reason and the remedy.</exception>
    public static async Task<T> ReadAsync<T>(this IHostStore store, Func<Action<ReadResult<T>>, bool> read)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(read);
        var done = new TaskCompletionSource<ReadResult<T>>(TaskCreationOptions.RunContinuationsAsynchronously);
        ReadResult<T> result = read(done.SetResult)
            ? await done.Task.ConfigureAwait(false)
            : throw new StoreBusyException();
        return result.Status == StoreStatus.Done ? result.Value! : throw new StoreException(result.Reason!);
    }
}
