using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>A release to be stored.</summary>
/// <param name="Topic">The application's number.</param>
/// <param name="Header">The header; its number is the next after the newest stored, and its previous id is that one's.</param>
/// <param name="Signature">The signature block, at most <see cref="StoreLimits.SignatureBytesMax"/> bytes; empty when a later release of
/// the batch is signed instead.</param>
/// <param name="PublishBodyHash">What the publisher sent, hashed: the same publish id with another hash is another publish.</param>
/// <param name="Bodies">The values the store does not have yet, once each; those it has may be left out.</param>
internal sealed record StoredRelease(
    uint Topic, ReleaseHeader Header, ReadOnlyMemory<byte> Signature, Digest160 PublishBodyHash, IReadOnlyList<StoredBody> Bodies);
