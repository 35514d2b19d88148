namespace Ripple.Gms.Store;

/// <summary>The store is closed, or has too much waiting: nothing was done, and the same may be asked again.</summary>
public sealed class StoreBusyException() : StoreException("The store is closed, or has too much waiting. Try again.");
