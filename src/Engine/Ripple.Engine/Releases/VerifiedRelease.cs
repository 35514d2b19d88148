namespace Ripple.Engine.Releases;

/// <summary>
/// A release whose header is verified: it follows the state before it, and the primary signed it or a successor in its batch.
/// </summary>
/// <param name="Message">The received message; a body that does not match its digest is missing from <paramref name="Bodies"/>.</param>
/// <param name="Keys">The resulting state.</param>
/// <param name="Proof">The proof of the release.</param>
/// <param name="Bodies">The verified value of each change; null for a removal and for a value to be fetched.</param>
internal sealed record VerifiedRelease(ReleaseMessage Message, ReleaseState Keys, ReleaseProof Proof, ReadOnlyMemory<byte>?[] Bodies);
