using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>A release to store.</summary>
/// <param name="Topic">The application's topic number.</param>
/// <param name="Header">The header; its number and previous id must follow the newest stored release.</param>
/// <param name="Signature">The signature block, at most <see cref="StoreLimits.SignatureBytesMax"/> bytes; empty when a later release of
/// the batch is signed instead.</param>
/// <param name="PublishBodyHash">The hash of the published content. A publish id used again with another hash is refused.</param>
/// <param name="Bodies">The values that the store does not have yet, each once; values already stored may be omitted.</param>
internal sealed record StoredRelease(
    uint Topic, ReleaseHeader Header, ReadOnlyMemory<byte> Signature, Digest160 PublishBodyHash, IReadOnlyList<StoredBody> Bodies);
