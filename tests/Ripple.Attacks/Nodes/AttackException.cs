namespace Ripple.Attacks.Nodes;

/// <summary>An attack could not be made, or not be judged; the message says why.</summary>
internal sealed class AttackException(string message, Exception? inner = null) : Exception(message, inner);
