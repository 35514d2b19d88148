namespace Ripple.Gms.Store;

/// <summary>The state that a host needs before its core runs.</summary>
/// <param name="FormatVersion">The store's format version.</param>
/// <param name="ClusterId">The cluster's id; null if none was set yet.</param>
/// <param name="SlotEpoch">The last persisted slot epoch; initially 0.</param>
/// <param name="IncarnationCounter">Incarnations up to this one may be in use; initially 0.</param>
/// <param name="Applications">The applications, by topic.</param>
/// <param name="Tokens">All tokens, by id, including revoked ones.</param>
/// <param name="TokensVersion">The version of that list.</param>
/// <param name="GenerationMin">The generation in which a new application begins.</param>
/// <param name="Copy">What the store is a copy of; null if it is none.</param>
internal sealed record HostState(
    int FormatVersion,
    Guid? ClusterId,
    uint SlotEpoch,
    ulong IncarnationCounter,
    IReadOnlyList<StoredApplication> Applications,
    IReadOnlyList<AccessToken> Tokens,
    long TokensVersion,
    uint GenerationMin = 1,
    StoreCopy? Copy = null)
{
    /// <summary>The nodes whose certificates are good no more, by node; read with <see cref="Tokens"/>.</summary>
    public IReadOnlyList<RevokedNode> RevokedNodes { get; init; } = [];
}
