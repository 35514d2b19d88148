namespace Ripple.Attacks.Nodes;

/// <summary>An application as the host tells it at a join.</summary>
internal readonly record struct Topic(string Application, uint Number, uint Generation, ulong Release, byte[] Id);
