namespace Ripple.Simulator.Cluster;

/// <summary>Faults that a cluster may have besides those of every plan.</summary>
[Flags]
internal enum ClusterFaults
{
    /// <summary>Those of every plan.</summary>
    None = 0,

    /// <summary>Machines are slow for a while.</summary>
    Slow = 1,

    /// <summary>Processes end at the moments that matter: when they start, connect, join, save or become ready.</summary>
    Moments = 2,

    /// <summary>Some nodes are away when the host is restored, and come back at any time after it.</summary>
    RestoreWhileAway = 4,

    /// <summary>Tokens of nodes are revoked; the nodes enroll again later.</summary>
    Revocation = 8,

    /// <summary>The disk of the host is busy, slow, full, fails, and gives flipped bits.</summary>
    HostDisk = 16,

    /// <summary>Wall clocks jump, and monotonic clocks drift.</summary>
    Clock = 32,

    /// <summary>Nodes take no datagrams for a while.</summary>
    Deaf = 64,
}
