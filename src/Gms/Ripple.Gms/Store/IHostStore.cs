using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// The door between the stepped host and a disk. Every call but <see cref="Load"/> returns at once; its answer comes through the callback,
/// once, on the store's own thread (a simulated store: at a later step). The host wraps it in a request. Callbacks of commits come in the
/// order of the commits. A read sees every commit asked for before it.
/// </summary>
/// <remarks>
/// A call returns false when the queue is full: nothing was taken, and the callback will not come. Callbacks must not throw and must not
/// wait for the store. After a disk error every answer is <see cref="StoreStatus.Failed"/> until the store is opened again. Disposing
/// finishes what was taken.
/// </remarks>
internal interface IHostStore : IDisposable
{
    /// <summary>True once the disk failed: nothing more will be written. Any thread.</summary>
    bool IsBroken { get; }

    /// <summary>
    /// Grows with every change of the tokens, also by another process, which is noticed within a second. When it moves, read the tokens
    /// again. Any thread.
    /// </summary>
    long TokensVersion { get; }

    /// <summary>
    /// All a host must know at start. Blocks; called before the core runs. Throws <see cref="StoreException"/> when the store cannot be
    /// read.
    /// </summary>
    HostState Load();

    /// <summary>
    /// Makes a batch durable. Any thread, one at a time for what shall be in order. Batches that wait together share one transaction; one
    /// that is refused does not hold up the others.
    /// </summary>
    bool Commit(CommitBatch batch, Action<CommitResult> done);

    /// <summary>
    /// The releases from <paramref name="fromRelease"/> on, oldest first, with the values they set: as many whole releases as fit into
    /// <paramref name="bytesMax"/>, and at least one. Empty when there are none.
    /// </summary>
    bool ReadReleases(uint topic, ulong fromRelease, int bytesMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done);

    /// <summary>The bytes under a digest; null when they are not there.</summary>
    bool ReadBody(Digest160 digest, Action<ReadResult<ReadOnlyMemory<byte>?>> done);

    /// <summary>
    /// The releases before <paramref name="beforeRelease"/> (<see cref="ulong.MaxValue"/>: all), newest first, without values: at most
    /// <paramref name="countMax"/> and what <see cref="StoreLimits"/> allows. Empty when there are none.
    /// </summary>
    bool ReadHistory(uint topic, ulong beforeRelease, int countMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done);

    /// <summary>The key table at a release, 0 for the newest; null when there is no such release.</summary>
    bool ReadState(uint topic, ulong release, Action<ReadResult<StateRecord?>> done);

    /// <summary>
    /// The audit entries before number <paramref name="beforeNumber"/> (<see cref="long.MaxValue"/>: all), newest first, of one application
    /// or, with null, of all: at most <paramref name="countMax"/> and what <see cref="StoreLimits"/> allows.
    /// </summary>
    bool ReadAudit(string? application, long beforeNumber, int countMax, Action<ReadResult<IReadOnlyList<AuditRecord>>> done);

    /// <summary>All tokens, by id, revoked ones too.</summary>
    bool ReadTokens(Action<ReadResult<IReadOnlyList<AccessToken>>> done);
}
