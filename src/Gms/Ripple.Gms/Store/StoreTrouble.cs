namespace Ripple.Gms.Store;

/// <summary>Why a store does not take commits, or not all of them. Reads go on. Immutable.</summary>
/// <param name="Status">
/// <see cref="StoreStatus.Full"/>: nothing was written, and every commit is tried: a smaller one may find room.
/// <see cref="StoreStatus.Failed"/>: nobody knows whether the last group was written, and no commit is tried before that is settled.
/// </param>
/// <param name="Reason">What the disk reported, without the paths of files: publishers are told.</param>
internal sealed record StoreTrouble(StoreStatus Status, string Reason)
{
    /// <summary>True if it may pass while the store is open; else it ends when the store is opened again.</summary>
    public bool MayPass { get; init; } = true;
}
