namespace Ripple.Gms.Store;

/// <summary>
/// Whether a store takes commits, and why not. Written by the thread that commits; read by any.
/// </summary>
/// <param name="fullMs">
/// How long a store that found no room is told full at least, in milliseconds: where small commits find room and large ones do not, it
/// would be told full and well by turns.
/// </param>
internal sealed class StoreCondition(long fullMs)
{
    private volatile StoreTrouble? _trouble;
    private long _fullAtMs;
    private long _full;
    private long _failed;

    /// <summary>Why commits are not taken now; null if they are.</summary>
    public StoreTrouble? Trouble => _trouble;

    /// <summary>Why no commit may be tried now; null if one may.</summary>
    public StoreTrouble? Forbids => _trouble is { Status: StoreStatus.Failed } failed ? failed : null;

    /// <summary>Groups of commits that found no room.</summary>
    public long FullCount => Volatile.Read(ref _full);

    /// <summary>Groups of commits of which nobody knew whether they were written.</summary>
    public long FailedCount => Volatile.Read(ref _failed);

    /// <summary>A group was not written. That another process has a lock says nothing of the disk.</summary>
    public void OnTrouble(StoreTrouble trouble)
    {
        if (trouble.Status == StoreStatus.Full)
        {
            Volatile.Write(ref _full, _full + 1);
            _fullAtMs = Environment.TickCount64;
            _trouble = trouble;
        }
        else if (trouble.Status == StoreStatus.Failed)
        {
            Volatile.Write(ref _failed, _failed + 1);
            _trouble = trouble;
        }
    }

    /// <summary>Whether it may have passed, so that a probe of the disk tells something.</summary>
    public bool MustProbe => _trouble is { MayPass: true } && !IsHeld;

    private bool IsHeld => _trouble?.Status == StoreStatus.Full && Environment.TickCount64 - _fullAtMs < fullMs;

    /// <summary>The disk took something.</summary>
    public void OnTaken()
    {
        if (_trouble is not null && !IsHeld)
        {
            _trouble = null;
        }
    }
}

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
