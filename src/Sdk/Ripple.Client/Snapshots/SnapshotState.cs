using Ripple.Engine.Releases;

namespace Ripple.Client.Snapshots;

/// <summary>One state in a snapshot, as it was read. Immutable.</summary>
/// <param name="Signer">The certificate of who signed.</param>
/// <param name="Proof">The headers and the signature.</param>
/// <param name="Keys">The key table.</param>
/// <param name="Values">The values that were held.</param>
internal sealed record SnapshotState(
    ReadOnlyMemory<byte> Signer,
    ReleaseProof Proof,
    IReadOnlyCollection<KeyValuePair<string, KeyEntry>> Keys,
    IReadOnlyDictionary<string, ReadOnlyMemory<byte>> Values);
