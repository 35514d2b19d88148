namespace Ripple.Gms.Store;

/// <summary>
/// The store refused a batch that its current state forbids; the message states the problem and the remedy. Repeating the request is
/// useless.
/// </summary>
/// <param name="reason">The reason.</param>
public sealed class StoreRuleException(string reason) : StoreException(reason);
