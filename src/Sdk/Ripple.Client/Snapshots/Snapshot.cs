using Ripple.Engine.Releases;

namespace Ripple.Client.Snapshots;

/// <summary>One application's saved data as read from disk, not yet verified. Immutable.</summary>
/// <param name="Authority">The authority's certificate, to be compared with the pinned fingerprint.</param>
/// <param name="Applied">The state accepted last; null if there was none.</param>
/// <param name="Received">The newest state received; the same object as <paramref name="Applied"/> if that was accepted.</param>
/// <param name="Rejections">What was rejected, oldest first; not signed by anybody.</param>
internal sealed record Snapshot(
    ReadOnlyMemory<byte> Authority, SnapshotState? Applied, SnapshotState Received, IReadOnlyList<RejectionRow> Rejections);

/// <summary>One state of a snapshot, as read from disk. Immutable.</summary>
/// <param name="Signer">The signer's certificate.</param>
/// <param name="Proof">The headers and the signature.</param>
/// <param name="Keys">The key table.</param>
/// <param name="Values">The values held by the node.</param>
internal sealed record SnapshotState(
    ReadOnlyMemory<byte> Signer,
    ReleaseProof Proof,
    IReadOnlyCollection<KeyValuePair<string, KeyEntry>> Keys,
    IReadOnlyDictionary<string, ReadOnlyMemory<byte>> Values);
