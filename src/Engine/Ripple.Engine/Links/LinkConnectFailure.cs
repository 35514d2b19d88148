namespace Ripple.Engine.Links;

/// <summary>Why a connect failed, as far as it determines what to do next.</summary>
internal enum LinkConnectFailure
{
    /// <summary>No answer, no route, unknown name, refused by the system, or timed out. Try another endpoint, or this one later.</summary>
    Unreachable,

    /// <summary>
    /// The answering side is not a host of the pinned authority. Try another endpoint; this one is misconfigured or hostile.
    /// </summary>
    Untrusted,

    /// <summary>
    /// The host identified this node or its token and does not admit it (revoked, unknown, wrong application). Retrying does not help until
    /// an administrator acts.
    /// </summary>
    Refused,

    /// <summary>The host is reachable but admits no node now (starting, full, draining). Try another endpoint, or this one later.</summary>
    Busy,
}
