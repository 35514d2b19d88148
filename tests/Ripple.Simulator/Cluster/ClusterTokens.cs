using Ripple.Gms.Store;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// The tokens of a cluster: nodes' that may publish to all applications, publishers' that may administer them, for a captured member one
/// with no right but to join, and an administrator's.
/// </summary>
internal static class ClusterTokens
{
    /// <summary>The id of the token that may do everything.</summary>
    public const string Admin = "admin";

    /// <summary>The id of a captured member's token.</summary>
    public const string Captured = "captured";

    /// <summary>The application in whose audit the token is; null for the cluster's.</summary>
    public static string? ApplicationOf(string id) => id == Captured ? SimulatedCluster.Application : null;

    /// <summary>A token.</summary>
    public static AccessToken Make(string id)
    {
        // Captured secrets are others than those of the rest.
        byte[] hash = new byte[32];
        hash[0] = (byte)(id == Captured ? 1 : 0);
        return id == Captured
            ? new AccessToken(id, hash, AccessTokenGrant.For([SimulatedCluster.Application], AccessRole.Node), 1, null, null)
            : new AccessToken(id, hash, AccessTokenGrant.For(["*"], RoleOf(id)), 1, null, null);
    }

    /// <summary>Whether a token administers all applications.</summary>
    public static bool IsAdmin(string id) => id != Captured && RoleOf(id) == AccessRole.Admin;

    private static AccessRole RoleOf(string id) =>
        id.StartsWith("of-", StringComparison.Ordinal) && !id.StartsWith("of-publisher", StringComparison.Ordinal)
            ? AccessRole.Publisher
            : AccessRole.Admin;
}
