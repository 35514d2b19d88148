namespace Ripple.Simulator.Faults;

/// <summary>
/// Faults in a simulated world: first those a fault plan causes, then the effects on traffic, whether of those faults or of a path's normal
/// behavior.
/// </summary>
public enum FaultKind
{
    /// <summary>A period of heavy datagram loss.</summary>
    LossBurst,

    /// <summary>A period of slow paths.</summary>
    DelayBurst,

    /// <summary>A period of heavy reordering.</summary>
    ReorderBurst,

    /// <summary>A period of heavy duplication.</summary>
    DuplicationBurst,

    /// <summary>A period of flipped bits.</summary>
    CorruptionBurst,

    /// <summary>Machines cut off from the others in both directions for a while.</summary>
    Partition,

    /// <summary>Machines that the others do not hear for a while, though they hear the others.</summary>
    OneWayPartition,

    /// <summary>A process that is not scheduled for a while.</summary>
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

    /// <summary>A datagram delivered twice.</summary>
    DatagramDuplicated,

    /// <summary>A datagram delayed so that later ones may overtake it.</summary>
    DatagramReordered,

    /// <summary>A datagram with a flipped bit.</summary>
    DatagramCorrupted,

    /// <summary>A datagram blocked by a partition.</summary>
    DatagramBlocked,

    /// <summary>A datagram sent to a port that is not open.</summary>
    DatagramUnreachable,

    /// <summary>A datagram that arrived at a port with a full receive buffer.</summary>
    ReceiveOverflow,

    /// <summary>A send from a port with a full send buffer.</summary>
    SendBlocked,

    /// <summary>A failed attempt to connect.</summary>
    ConnectFailed,

    /// <summary>A control connection broken by a crash or a partition.</summary>
    LinkBroken,

    /// <summary>A control frame lost with its connection.</summary>
    FrameLost,

    /// <summary>A control frame that waited for a retransmission.</summary>
    FrameDelayed,

    /// <summary>A machine is 10 to 1,000 times slower for a while.</summary>
    Slow,

    /// <summary>The wall clock of a machine is wrong for a while, by a tenth of a second up to eleven days.</summary>
    ClockJump,

    /// <summary>No datagram reaches a node for a while; its connections stand.</summary>
    Deaf,
}
