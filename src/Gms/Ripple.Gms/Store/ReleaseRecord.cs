namespace Ripple.Gms.Store;

/// <summary>A stored release.</summary>
/// <param name="Release">Its number.</param>
/// <param name="Header">Its header, encoded.</param>
/// <param name="Signature">Its signature block; empty when it is covered by a later release's signature.</param>
/// <param name="Bodies">The values it sets, one per digest; empty if the read does not return them.</param>
internal sealed record ReleaseRecord(
    ulong Release, ReadOnlyMemory<byte> Header, ReadOnlyMemory<byte> Signature, IReadOnlyList<StoredBody> Bodies);
