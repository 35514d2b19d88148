namespace Ripple.Gms.Store;

/// <summary>The store's door for those who may wait: tools, starts, tasks.</summary>
internal static class StoreCalls
{
    /// <summary>Commits and waits until it is durable.</summary>
    /// <exception cref="StoreBusyException">There is no room for it now; nothing was done.</exception>
    /// <exception cref="StoreRuleException">What the store holds forbids it; nothing was done.</exception>
    /// <exception cref="StoreException">It failed; the message says why and what to do.</exception>
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
                _ => new StoreException(result.Reason!),
            };
        }
    }

    /// <summary>Reads and waits: <c>store.ReadAsync(done => store.ReadTokens(done))</c>.</summary>
    /// <exception cref="StoreBusyException">There is no room for it now.</exception>
    /// <exception cref="StoreException">The store could not read; the message says why and what to do.</exception>
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
