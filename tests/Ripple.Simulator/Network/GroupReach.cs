namespace Ripple.Simulator.Network;

/// <summary>How multicast reaches a machine.</summary>
internal enum GroupReach
{
    /// <summary>The machine cannot join groups.</summary>
    None = 0,

    /// <summary>Groups can be joined, but nothing arrives.</summary>
    Silent = 1,

    /// <summary>Datagrams sent to a group arrive, like unicast.</summary>
    Whole = 2,
}
