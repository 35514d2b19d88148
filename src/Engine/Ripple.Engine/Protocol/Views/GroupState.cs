namespace Ripple.Engine.Protocol.Views;

/// <summary>A node's state in its region's multicast group. Unknown numbers count as <see cref="NotJoined"/>.</summary>
internal enum GroupState : byte
{
    /// <summary>Not in the group, because the node cannot join it.</summary>
    NotJoined = 0,

    /// <summary>Joined, but the node does not hear the host there yet, or no longer does.</summary>
    Joined = 1,

    /// <summary>The host's packets to the group arrive.</summary>
    Hears = 2,
}
