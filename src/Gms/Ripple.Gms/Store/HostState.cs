namespace Ripple.Gms.Store;

/// <summary>All a host must know before its core runs.</summary>
/// <param name="FormatVersion">The store's format.</param>
/// <param name="ClusterId">The cluster; null when none was set yet.</param>
/// <param name="SlotEpoch">The last slot epoch that was persisted; 0 at first.</param>
/// <param name="IncarnationCounter">Incarnations up to this one may be in use; 0 at first.</param>
/// <param name="Applications">The applications, by topic.</param>
/// <param name="Tokens">All tokens, by id, revoked ones too.</param>
/// <param name="TokensVersion">The version of that list.</param>
internal sealed record HostState(
    int FormatVersion,
    Guid? ClusterId,
    uint SlotEpoch,
    ulong IncarnationCounter,
    IReadOnlyList<StoredApplication> Applications,
    IReadOnlyList<AccessToken> Tokens,
    long TokensVersion);
