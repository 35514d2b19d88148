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

/// <summary>The bytes of a value.</summary>
/// <param name="Digest">Their digest.</param>
/// <param name="Bytes">The bytes; must not be modified afterwards.</param>
internal readonly record struct StoredBody(Digest160 Digest, ReadOnlyMemory<byte> Bytes)
{
    /// <summary>The chunks of a value that was just published, if it is long enough for a stream; null for any other.</summary>
    public ContentManifest? Manifest { get; init; }
}

/// <summary>A stored release.</summary>
/// <param name="Release">Its number.</param>
/// <param name="Header">Its header, encoded.</param>
/// <param name="Signature">Its signature block; empty when it is covered by a later release's signature.</param>
/// <param name="Bodies">The values it sets, one per digest; empty if the read does not return them.</param>
internal sealed record ReleaseRecord(
    ulong Release, ReadOnlyMemory<byte> Header, ReadOnlyMemory<byte> Signature, IReadOnlyList<StoredBody> Bodies);
