namespace Ripple.Gms;

/// <summary>Kinds of host events. The numbers are log event ids and are never reused.</summary>
public enum GmsEventKind
{
    /// <summary>A node joined.</summary>
    Joined = 2000,

    /// <summary>A node left voluntarily.</summary>
    Left = 2001,

    /// <summary>A node was removed as failed: a broken connection, missed heartbeats, a protocol error, or not reading.</summary>
    Failed = 2002,

    /// <summary>A node was removed because its token was revoked, expired or no longer grants its applications.</summary>
    Expelled = 2003,

    /// <summary>A join was refused.</summary>
    JoinRefused = 2004,

    /// <summary>A message from a node was refused.</summary>
    Refused = 2005,

    /// <summary>A member does not hear its region's multicast group and receives the stream by unicast.</summary>
    Unicast = 2006,

    /// <summary>A member is not reached at the address it named; everything comes to it over its control connection.</summary>
    Unreached = 2007,

    /// <summary>
    /// A node, or the host itself, refuses the genuine packets of another: a holder of the region's key has forged some in its name. The
    /// key changes.
    /// </summary>
    Deaf = 2008,

    /// <summary>
    /// A member became a leaf: it held the stream of its region up, or its ring did not hear it. It is brought forward by catch-up, over
    /// its control connection.
    /// </summary>
    Leaf = 2009,

    /// <summary>A leaf takes part in its region again.</summary>
    LeafReturned = 2010,

    /// <summary>A release was committed.</summary>
    Committed = 2100,

    /// <summary>The store failed.</summary>
    StoreFailed = 2101,

    /// <summary>A node proved that the store is older than what was committed: a new generation begins.</summary>
    Restored = 2102,

    /// <summary>An application was created.</summary>
    ApplicationCreated = 2103,

    /// <summary>The oldest releases of an application left its history. Told once an hour for each application.</summary>
    HistoryPruned = 2104,
}
