using Ripple.Engine.Releases;

namespace Ripple.Client.Snapshots;

/// <summary>What is on disk of one application, as it was read: nothing in it is believed yet. Immutable.</summary>
/// <param name="Authority">The authority's certificate, to be compared with the pinned fingerprint.</param>
/// <param name="Signer">The certificate of who signed.</param>
/// <param name="Proof">The headers and the signature.</param>
/// <param name="Keys">The key table.</param>
/// <param name="Values">The values that were held.</param>
internal sealed record Snapshot(
    ReadOnlyMemory<byte> Authority,
    ReadOnlyMemory<byte> Signer,
    ReleaseProof Proof,
    IReadOnlyCollection<KeyValuePair<string, KeyEntry>> Keys,
    IReadOnlyCollection<KeyValuePair<string, ReadOnlyMemory<byte>>> Values);
