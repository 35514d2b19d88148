using Ripple.Engine.Interest;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Sessions;

/// <summary>
/// How far a node's connection has come: connected, entering, waiting, seated, member, and at any time closed. Each state holds what is
/// known from there on.
/// </summary>
internal abstract record ConnectionState
{
    private ConnectionState()
    {
    }

    /// <summary>The node was proved, and asked for nothing but calls so far.</summary>
    internal sealed record Connected : ConnectionState;

    /// <summary>The node asked to join.</summary>
    /// <param name="Join">What it asked for.</param>
    /// <param name="Identity">The interest that makes its region.</param>
    internal record Entering(Join Join, RegionIdentity Identity) : ConnectionState;

    /// <summary>The node has an incarnation, and waits for the view that will include it.</summary>
    /// <param name="Entered">What it came with.</param>
    /// <param name="Record">Who it is from here on.</param>
    /// <param name="Region">Its region.</param>
    internal record Waiting(Entering Entered, MemberRecord Record, ServedRegion Region) : Entering(Entered);

    /// <summary>The node has a slot in the view that is being made.</summary>
    /// <param name="Waited">What it came with.</param>
    /// <param name="Place">Its place in the view.</param>
    internal record Seated(Waiting Waited, RegionMember Place) : Waiting(Waited);

    /// <summary>The host sends in a view that includes the node, and has told it so.</summary>
    /// <param name="Sat">What it came with.</param>
    /// <param name="Rows">Its rows in the frontiers.</param>
    internal sealed record Member(Seated Sat, MemberRows Rows) : Seated(Sat);

    /// <summary>The connection is gone, or was closed here.</summary>
    internal sealed record Closed : ConnectionState;
}
