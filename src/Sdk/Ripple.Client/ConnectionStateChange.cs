namespace Ripple.Client;

/// <summary>A change of a client's connection.</summary>
/// <param name="State">The new state.</param>
/// <param name="Reason">A description of what happened and where, for display. Empty when connected.</param>
public sealed record ConnectionStateChange(ConnectionState State, string Reason);
