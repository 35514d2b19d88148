namespace Ripple.Gms.Store;

/// <summary>The disk of the store has no room: nothing was written, and the request can be repeated when there is room.</summary>
public sealed class StoreFullException(string message) : StoreException(message);
