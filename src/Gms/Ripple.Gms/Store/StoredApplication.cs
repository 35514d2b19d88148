using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

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
