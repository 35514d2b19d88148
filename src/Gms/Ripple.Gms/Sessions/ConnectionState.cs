using Ripple.Engine.Interest;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The progress of a node's connection: connected, entering, waiting, seated, member, and at any time closed. Each state holds the data
/// known from then on.
/// </summary>
internal abstract record ConnectionState
{
    private ConnectionState()
    {
    }

    /// <summary>The node is authenticated, and has made only calls so far.</summary>
    internal sealed record Connected : ConnectionState;

    /// <summary>The node asked to join.</summary>
    /// <param name="Join">Its join request.</param>
    /// <param name="Identity">The interest that determines its region.</param>
    internal record Entering(Join Join, RegionIdentity Identity) : ConnectionState;

    /// <summary>The node has an incarnation and waits to be admitted to its region.</summary>
    /// <param name="Entered">The data of the previous state.</param>
    /// <param name="Record">Its member record.</param>
    /// <param name="Region">Its region.</param>
    internal record Waiting(Entering Entered, MemberRecord Record, ServedRegion Region) : Entering(Entered);

    /// <summary>The node has a slot, and is about to be told.</summary>
    /// <param name="Waited">The data of the previous state.</param>
    /// <param name="Place">Its place in the region.</param>
    internal record Seated(Waiting Waited, RegionMember Place) : Waiting(Waited);

    /// <summary>The host has told the node that it is admitted.</summary>
    /// <param name="Previous">The data of the previous state.</param>
    /// <param name="Rows">Its rows in the frontiers.</param>
    internal record Member(Seated Previous, MemberFrontierRows Rows) : Seated(Previous);

    /// <summary>The node is a member without a place: its region took it away, and may give it another.</summary>
    /// <param name="Left">The data of the previous state.</param>
    internal sealed record Leaf(Member Left) : Member(Left);

    /// <summary>The connection is gone, or was closed by the host.</summary>
    internal sealed record Closed : ConnectionState;
}
