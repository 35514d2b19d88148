namespace Ripple.Gms.Store;

/// <summary>How a request to the store ended.</summary>
internal enum StoreStatus
{
    /// <summary>Done; a commit is durable.</summary>
    Done = 0,

    /// <summary>The request breaks a rule, and nothing of it was written. Asking the same again gives the same answer.</summary>
    Refused,

    /// <summary>Another process kept the store locked for too long; nothing was written. Try again.</summary>
    Busy,

    /// <summary>
    /// The disk failed. The store is broken from then on: whether this commit survives is only known after opening it again.
    /// </summary>
    Failed,
}
