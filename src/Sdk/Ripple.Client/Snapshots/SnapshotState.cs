using Ripple.Engine.Releases;

namespace Ripple.Client.Snapshots;

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
