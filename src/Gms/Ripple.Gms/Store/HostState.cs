using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>The state that a host needs before its core runs.</summary>
/// <param name="FormatVersion">The store's format version.</param>
/// <param name="ClusterId">The cluster's id; null if none was set yet.</param>
/// <param name="SlotEpoch">The last persisted slot epoch; initially 0.</param>
/// <param name="Applications">The applications, by topic.</param>
/// <param name="Tokens">All tokens, by id, including revoked ones.</param>
/// <param name="TokensVersion">The version of that list.</param>
/// <param name="GenerationMin">The generation in which a new application begins.</param>
/// <param name="Copy">What the store is a copy of; null if it is none.</param>
internal sealed record HostState(
    int FormatVersion,
    Guid? ClusterId,
    uint SlotEpoch,
    IReadOnlyList<StoredApplication> Applications,
    IReadOnlyList<AccessToken> Tokens,
    long TokensVersion,
    uint GenerationMin = 1,
    StoreCopy? Copy = null)
{
    /// <summary>The nodes whose certificates are good no more, by node; read with <see cref="Tokens"/>.</summary>
    public IReadOnlyList<RevokedNode> RevokedNodes { get; init; } = [];
}

/// <summary>An application's stored state at start.</summary>
/// <param name="Topic">Its topic number.</param>
/// <param name="Name">Its name.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Newest">The header of its newest release; null before the first.</param>
/// <param name="NewestSignature">The newest release's signature block; empty when it has none.</param>
/// <param name="Keys">Its whole key table, in <see cref="KeyOrder"/>.</param>
/// <param name="RecentPublishes">Its newest publishes up to the horizon, oldest first.</param>
internal sealed record StoredApplication(
    uint Topic,
    string Name,
    uint Generation,
    ReleaseHeader? Newest,
    ReadOnlyMemory<byte> NewestSignature,
    IReadOnlyList<StoredKey> Keys,
    IReadOnlyList<StoredPublish> RecentPublishes)
{
    /// <summary>Who its releases are waited for with, by node, then first release. Default none.</summary>
    public IReadOnlyList<StoredMember> Members { get; init; } = [];

    /// <summary>The oldest release whose history is kept. Default 1.</summary>
    public ulong HistoryFrom { get; init; } = 1;

    /// <summary>The first release whose members are known. Default 1.</summary>
    public ulong MembersFrom { get; init; } = 1;
}

/// <summary>A key in an application's state.</summary>
/// <param name="Key">The key.</param>
/// <param name="Entry">Its value's digest, length and form.</param>
/// <param name="Release">The release that set it last.</param>
internal readonly record struct StoredKey(string Key, KeyEntry Entry, ulong Release);

/// <summary>A committed publish, kept to recognize repetitions.</summary>
/// <param name="PublishId">The publisher's id for it.</param>
/// <param name="BodyHash">The hash of its content.</param>
/// <param name="Release">The release it became.</param>
/// <param name="Generation">That release's generation.</param>
/// <param name="Id">That release's id.</param>
/// <param name="Actor">The publisher. Equal ids in different scopes are different publishes; see <see cref="ActorText.ScopeOf"/>.</param>
/// <param name="TimeUnixMicros">When it was ordered, in microseconds of Unix time, UTC.</param>
internal readonly record struct StoredPublish(
    Guid PublishId, Digest160 BodyHash, ulong Release, uint Generation, Digest160 Id, string Actor, long TimeUnixMicros);
