namespace Ripple.Client;

/// <summary>A change of a client's connection.</summary>
/// <param name="State">The state from now on.</param>
/// <param name="Reason">For people: what happened, where. Empty when connected.</param>
public sealed record ConnectionStateChange(ConnectionState State, string Reason);
