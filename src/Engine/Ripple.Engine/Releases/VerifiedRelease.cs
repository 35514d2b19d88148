namespace Ripple.Engine.Releases;

/// <summary>
/// A release whose header is believed: it follows the state before it and the primary signed it or a successor in its batch.
/// </summary>
/// <param name="Message">What came; a body that did not match its digest is gone from <paramref name="Bodies"/>.</param>
/// <param name="Keys">The state it leads to.</param>
/// <param name="Proof">Why it is believed.</param>
/// <param name="Bodies">For each change the verified value, or null: removed, or to be fetched.</param>
internal sealed record VerifiedRelease(ReleaseMessage Message, ReleaseState Keys, ReleaseProof Proof, ReadOnlyMemory<byte>?[] Bodies);
