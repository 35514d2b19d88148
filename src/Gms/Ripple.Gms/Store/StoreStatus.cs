namespace Ripple.Gms.Store;

/// <summary>The outcome of a request to the store.</summary>
internal enum StoreStatus
{
    /// <summary>Done; a commit is durable.</summary>
    Done = 0,

    /// <summary>The request breaks a rule, and nothing was written. Repeating it gives the same result.</summary>
    Refused,

    /// <summary>Another process kept the store locked for too long; nothing was written. Try again.</summary>
    Busy,

    /// <summary>What was asked for is not what was committed. It is not given out; everything else is as before.</summary>
    Damaged,

    /// <summary>
    /// The disk failed. Of a read: it was not read. Of a commit: nobody knows whether it was written, and no other is taken until the store
    /// has found out, or is opened again.
    /// </summary>
    Failed,

    /// <summary>The disk has no room, or failed before the commit: nothing was written. Try again; every commit is tried.</summary>
    Full,
}

/// <summary>The outcome of a commit.</summary>
/// <param name="Status">The status.</param>
/// <param name="Reason">The problem and the remedy; null when done.</param>
internal readonly record struct CommitResult(StoreStatus Status, string? Reason)
{
    /// <summary>True if the batch is durable.</summary>
    public bool IsDone => Status == StoreStatus.Done;
}

/// <summary>The result of a read.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <param name="Status">The status.</param>
/// <param name="Value">The value; the default when not done, and null where the read defines null as "not found".</param>
/// <param name="Reason">The problem and the remedy; null when done.</param>
internal readonly record struct ReadResult<T>(StoreStatus Status, T? Value, string? Reason);
