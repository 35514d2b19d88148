using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// The interface between the single-threaded host and a disk. Every call but <see cref="Load"/> returns immediately; its answer is passed
/// to the callback, once, on a thread of the store's (a simulated store: at a later step). The host forwards it to the core. Callbacks of
/// commits run in the order of the commits. A read sees every commit requested before it, and does not hold up those requested after it.
/// Past states, history and audit hold up no other reads, and applications take turns.
/// </summary>
/// <remarks>
/// A call returns false when the queue is full: nothing was accepted, and the callback will not run. Callbacks must not throw and must not
/// wait for the store. A full disk refuses commits, each as it comes (<see cref="StoreStatus.Full"/>). After a flush whose end is not known
/// every commit is <see cref="StoreStatus.Failed"/> until the disk took something over it, which the store tries by itself: what failed is
/// then not in the store. Reads go on meanwhile. Disposing finishes the accepted work.
/// </remarks>
internal interface IHostStore : IDisposable
{
    /// <summary>Why commits are not taken now; null while they are. Any thread.</summary>
    StoreTrouble? Trouble { get; }

    /// <summary>True while nobody knows whether the last commits were written, and no other is tried. Any thread.</summary>
    bool IsBroken { get; }

    /// <summary>
    /// Grows with every change of the tokens and of revoked nodes, including changes by another process, which are noticed within a second.
    /// When it changes, read both again. Any thread.
    /// </summary>
    long TokensVersion { get; }

    /// <summary>
    /// Loads the state that a host needs at start. Blocks; called before the core runs. Throws <see cref="StoreException"/> if the store
    /// cannot be read.
    /// </summary>
    HostState Load();

    /// <summary>
    /// Makes a batch durable. Any thread; callers that need an order must not call concurrently. Batches that wait together share one
    /// transaction; a refused batch does not hold up the others.
    /// </summary>
    bool Commit(CommitBatch batch, Action<CommitResult> done);

    /// <summary>
    /// The releases from <paramref name="fromRelease"/> on, oldest first, with the values they set: as many whole releases as fit in
    /// <paramref name="bytesMax"/>, but at least one. Empty when there are none.
    /// </summary>
    bool ReadReleases(uint topic, ulong fromRelease, int bytesMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done);

    /// <summary>The value with a digest; null unless a release of the topic has it, whatever other topics have.</summary>
    bool ReadBody(uint topic, Digest160 digest, Action<ReadResult<ReadOnlyMemory<byte>?>> done);

    /// <summary>
    /// The releases before <paramref name="beforeRelease"/> (<see cref="ulong.MaxValue"/>: all), newest first, without values: limited by
    /// <paramref name="countMax"/> and <see cref="StoreLimits"/>. Empty when there are none.
    /// </summary>
    bool ReadHistory(uint topic, ulong beforeRelease, int countMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done);

    /// <summary>
    /// The state at a release, 0 for the newest; null if there is no such release. It is the one that the release's header names, by its
    /// root.
    /// </summary>
    bool ReadState(uint topic, ulong release, Action<ReadResult<ReleaseState?>> done);

    /// <summary>
    /// The audit entries before number <paramref name="beforeNumber"/> (<see cref="long.MaxValue"/>: all), newest first, of one application
    /// or, if null, of all: limited by <paramref name="countMax"/> and <see cref="StoreLimits"/>.
    /// </summary>
    bool ReadAudit(string? application, long beforeNumber, int countMax, Action<ReadResult<IReadOnlyList<AuditRecord>>> done);

    /// <summary>All tokens, by id, including revoked ones.</summary>
    bool ReadTokens(Action<ReadResult<IReadOnlyList<AccessToken>>> done);

    /// <summary>All revoked nodes, by node.</summary>
    bool ReadRevokedNodes(Action<ReadResult<IReadOnlyList<RevokedNode>>> done);
}

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
        var done = new TaskCompletionSource<ReadResult<T>>(TaskCreationOptions.RunContinuationsAsynchronously);
        ReadResult<T> result = read(done.SetResult)
            ? await done.Task.ConfigureAwait(false)
            : throw new StoreBusyException();
        return result.Status == StoreStatus.Done ? result.Value! : throw new StoreException(result.Reason!);
    }
}
