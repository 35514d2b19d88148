namespace Ripple.Testing.Faults;

/// <summary>
/// What can go wrong in a simulated world: first what a plan of faults does, then what that (or the ordinary state of a path) did to
/// traffic.
/// </summary>
public enum FaultKind
{
    /// <summary>A time of many lost datagrams.</summary>
    LossBurst,

    /// <summary>A time of slow paths.</summary>
    DelayBurst,

    /// <summary>A time of much reordering.</summary>
    ReorderBurst,

    /// <summary>A time of much duplication.</summary>
    DuplicationBurst,

    /// <summary>A time of flipped bits.</summary>
    CorruptionBurst,

    /// <summary>Machines cut off from the others, both ways, for a time.</summary>
    Partition,

    /// <summary>Machines that others do not hear, though they hear the others, for a time.</summary>
    OneWayPartition,

    /// <summary>A process not scheduled for a time.</summary>
    Pause,

    /// <summary>A node's process killed.</summary>
    NodeCrash,

    /// <summary>A node's process started again.</summary>
    NodeRestart,

    /// <summary>A host's process killed, or its power lost.</summary>
    HostCrash,

    /// <summary>A host's process started again.</summary>
    HostRestart,

    /// <summary>A datagram lost on its path.</summary>
    DatagramLost,

    /// <summary>A datagram that arrives twice.</summary>
    DatagramDuplicated,

    /// <summary>A datagram held back so that later ones may pass it.</summary>
    DatagramReordered,

    /// <summary>A datagram with a flipped bit.</summary>
    DatagramCorrupted,

    /// <summary>A datagram that met a partition.</summary>
    DatagramBlocked,

    /// <summary>A datagram to a port that nobody has open.</summary>
    DatagramUnreachable,

    /// <summary>A datagram that found the receive buffer of its port full.</summary>
    ReceiveOverflow,

    /// <summary>A send that found the send buffer of its port full.</summary>
    SendBlocked,

    /// <summary>An attempt to connect that failed.</summary>
    ConnectFailed,

    /// <summary>A control connection broken by a crash or a partition.</summary>
    LinkBroken,

    /// <summary>A control frame lost with its connection.</summary>
    FrameLost,

    /// <summary>A control frame that waited for a retransmission.</summary>
    FrameDelayed,
}
