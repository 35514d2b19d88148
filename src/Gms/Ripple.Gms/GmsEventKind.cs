namespace Ripple.Gms;

/// <summary>What happened at a host. Numbers are event ids of the log and are never given again.</summary>
public enum GmsEventKind
{
    /// <summary>A node joined.</summary>
    Joined = 2000,

    /// <summary>A node left by its own will.</summary>
    Left = 2001,

    /// <summary>A node's connection broke or it was silent.</summary>
    Failed = 2002,

    /// <summary>A node was removed because its token was revoked.</summary>
    Expelled = 2003,

    /// <summary>A join was refused.</summary>
    JoinRefused = 2004,

    /// <summary>Something a node sent was refused.</summary>
    Refused = 2005,

    /// <summary>A member does not hear its region's multicast group, and takes the stream by unicast.</summary>
    Unicast = 2006,

    /// <summary>A release was committed.</summary>
    Committed = 2100,

    /// <summary>The store failed.</summary>
    StoreFailed = 2101,

    /// <summary>A node proved that the store is older than what was committed: a new generation begins.</summary>
    Restored = 2102,

    /// <summary>An application was created.</summary>
    ApplicationCreated = 2103,
}
