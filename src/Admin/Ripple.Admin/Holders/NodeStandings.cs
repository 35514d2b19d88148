using Ripple.Admin.Contracts;
using Ripple.Admin.Following;

namespace Ripple.Admin.Holders;

/// <summary>The only place that decides a node's standing with respect to a release.</summary>
internal static class NodeStandings
{
    /// <summary>
    /// A node decides on releases in order and may skip some when they arrive quickly: one that rejected a later release and remains before
    /// this one will not apply this one either. A node that has since applied this release or a later one is past its rejection. A
    /// rejection counts at every level: a node that has a release on disk but rejects it is reported as rejecting.
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

/// <summary>A node's standing with respect to a release.</summary>
internal enum Standing
{
    /// <summary>The node has it or a later one.</summary>
    Holding,

    /// <summary>The node has not reached it yet.</summary>
    Behind,

    /// <summary>The node rejected it and remains at an earlier one.</summary>
    Rejected,
}
