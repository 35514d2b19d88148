namespace Ripple.Engine.Protocol.Views;

/// <summary>
/// How a node stands to its region's multicast group. A number that is not one of these counts as <see cref="NotJoined"/>.
/// </summary>
internal enum GroupState : byte
{
    /// <summary>It is not in the group: it cannot be.</summary>
    NotJoined = 0,

    /// <summary>It joined, and has not heard the host there, or not any more.</summary>
    Joined = 1,

    /// <summary>What the host sends to the group arrives.</summary>
    Hears = 2,
}
