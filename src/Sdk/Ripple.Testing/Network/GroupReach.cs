namespace Ripple.Testing.Network;

/// <summary>How multicast reaches a machine.</summary>
internal enum GroupReach
{
    /// <summary>Its groups cannot be joined.</summary>
    None = 0,

    /// <summary>Groups can be joined, and nothing arrives.</summary>
    Silent = 1,

    /// <summary>What is sent to a group arrives, as unicast does.</summary>
    Whole = 2,
}
