using Ripple.Gms.Store;

namespace Ripple.Gms.Hosting;

/// <summary>The store's door for those who may wait: tools, starts, tasks.</summary>
public static class StoreCalls
{
    /// <summary>Commits and waits until it is durable.</summary>
    /// <exception cref="StoreException">It is not; the message says why and what to do.</exception>
    public static async Task CommitAsync(this IHostStore store, CommitBatch batch)
    {
        ArgumentNullException.ThrowIfNull(store);
        var done = new TaskCompletionSource<CommitResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        CommitResult result = store.Commit(batch, done.SetResult)
            ? await done.Task.ConfigureAwait(false)
            : throw TooMuch();
        if (!result.IsDone)
        {
            throw new StoreException(result.Reason!);
        }
    }

    /// <summary>Reads and waits: <c>store.ReadAsync(done => store.ReadTokens(done))</c>.</summary>
    /// <exception cref="StoreException">The store could not read; the message says why and what to do.</exception>
    public static async Task<T> ReadAsync<T>(this IHostStore store, Func<Action<ReadResult<T>>, bool> read)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(read);
        var done = new TaskCompletionSource<ReadResult<T>>(TaskCreationOptions.RunContinuationsAsynchronously);
        ReadResult<T> result = read(done.SetResult)
            ? await done.Task.ConfigureAwait(false)
            : throw TooMuch();
        return result.Status == StoreStatus.Done ? result.Value! : throw new StoreException(result.Reason!);
    }

    private static StoreException TooMuch() => new("The store is closed, or has too much waiting. Try again.");
}
