namespace Ripple.Gms.Store;

/// <summary>A stored release.</summary>
/// <param name="Release">Its number.</param>
/// <param name="Header">Its header, encoded.</param>
/// <param name="Signature">Its signature block; empty when a later release is signed instead.</param>
/// <param name="Bodies">The values it sets, each digest once; empty where a read does not return them.</param>
internal sealed record ReleaseRecord(
    ulong Release, ReadOnlyMemory<byte> Header, ReadOnlyMemory<byte> Signature, IReadOnlyList<StoredBody> Bodies);
