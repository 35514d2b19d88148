namespace Ripple.Engine.Links;

/// <summary>Why a connect failed, as far as it decides what to do next.</summary>
internal enum LinkConnectFailure
{
    /// <summary>No answer, no route, no such name, refused by the system, or out of time. Another endpoint, or this one later.</summary>
    Unreachable,

    /// <summary>What answered is not a host of the pinned authority. Another endpoint; this one is misconfigured or hostile.</summary>
    Untrusted,

    /// <summary>
    /// The host knows this node or its token and does not admit it (revoked, unknown, wrong application). Trying again does not help until
    /// an administrator acts.
    /// </summary>
    Refused,

    /// <summary>The host is there but takes nobody now (starting, full, draining). Another endpoint, or this one later.</summary>
    Busy,
}
