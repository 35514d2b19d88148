namespace Ripple.Gms.Store;

/// <summary>
/// The store refused a batch because what it holds forbids it; the message says what and what to do. Asking again is of no use.
/// </summary>
/// <param name="reason">Why.</param>
public sealed class StoreRuleException(string reason) : StoreException(reason);
