namespace Ripple.Simulator.Tracing;

/// <summary>What happened.</summary>
internal enum TraceKind
{
    /// <summary>A fault, from its start to its end.</summary>
    Fault,

    /// <summary>A process started.</summary>
    Started,

    /// <summary>A process ended.</summary>
    Crashed,

    /// <summary>A host is ready, with what was on its disk.</summary>
    Ready,

    /// <summary>A copy of the host's disk was made.</summary>
    Copied,

    /// <summary>The copy replaced the host's disk.</summary>
    Restored,

    /// <summary>A node became a member.</summary>
    Joined,

    /// <summary>A node lost its connection, or could not get one.</summary>
    Disconnected,

    /// <summary>A publish was sent.</summary>
    Asked,

    /// <summary>A publish was answered, or its answer was lost.</summary>
    Answered,

    /// <summary>A release was committed.</summary>
    Committed,

    /// <summary>A node has a release whole.</summary>
    Received,

    /// <summary>A node's validators are asked.</summary>
    Deciding,

    /// <summary>They accepted.</summary>
    Accepted,

    /// <summary>They rejected.</summary>
    Rejected,

    /// <summary>A release is in effect at a node.</summary>
    Applied,

    /// <summary>A release is on the disk of a node.</summary>
    Persisted,

    /// <summary>A node asked for what it misses.</summary>
    CatchUp,

    /// <summary>A node took a snapshot.</summary>
    Snapshot,

    /// <summary>A wait was sent.</summary>
    WaitSent,

    /// <summary>A wait was answered, or its answer was lost.</summary>
    WaitAnswered,

    /// <summary>What a scenario says of itself.</summary>
    Noted,
}
