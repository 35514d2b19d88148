namespace Ripple.Gms.Store;

/// <summary>The store is closed, full, or locked by another process: nothing was done, and the request can be repeated.</summary>
public sealed class StoreBusyException() : StoreException("The store is closed, or has too much waiting. Try again.");
