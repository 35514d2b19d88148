namespace Ripple.Load.Peers;

/// <summary>A comparison that cannot be made; the message says what is missing and what to do.</summary>
internal sealed class PeerException(string message) : Exception(message);
