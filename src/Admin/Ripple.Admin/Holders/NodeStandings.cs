using Ripple.Admin.Contracts;
using Ripple.Admin.Following;

namespace Ripple.Admin.Holders;

/// <summary>Decides how nodes stand to a release: the only place that does.</summary>
internal static class NodeStandings
{
    /// <summary>
    /// A node decides releases in their order, and passes some over when they come fast: one that rejected a later release and stays before
    /// this one will not take this one either. One that brought it or a later one into effect since is over its rejection. A rejection
    /// counts at every level: who has a release on disk and refuses it is told as such.
    /// </summary>
    public static Standing StandingTo(this NodeInfo node, ulong release, FollowLevel level) =>
        node.Applied < release && node.Rejected >= release
            ? Standing.Rejected
            : LevelOf(node, level) < release ? Standing.Behind : Standing.Holding;

    private static ulong LevelOf(NodeInfo node, FollowLevel level) => level switch
    {
        FollowLevel.Received => node.Received,
        FollowLevel.Persisted => node.Persisted,
        _ => node.Applied,
    };
}
