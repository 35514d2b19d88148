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

    /// <summary>The disk failed. The store is broken from then on: only opening it again shows whether this commit survived.</summary>
    Failed,
}
