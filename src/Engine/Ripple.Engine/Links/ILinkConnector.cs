namespace Ripple.Engine.Links;

/// <summary>Opens control links to hosts. Called on the core thread; never blocks it.</summary>
internal interface ILinkConnector
{
    /// <summary>
    /// Starts to connect, enrolling first if this node has no valid certificate yet. Exactly one call of <paramref name="result"/> follows,
    /// on the core thread and never from inside this call, unless the attempt is canceled. The connector limits the duration of an attempt.
    /// </summary>
    /// <param name="endpoint"><c>host:port</c>, <c>address:port</c> or <c>[IPv6 address]:port</c>, as in the connection string.</param>
    /// <param name="result">Receives the outcome.</param>
    ILinkConnectAttempt Connect(string endpoint, ILinkConnectResult result);
}

/// <summary>A connect in progress. Core thread.</summary>
internal interface ILinkConnectAttempt
{
    /// <summary>Abandons the attempt: its result is no longer called. Does nothing when it was already called.</summary>
    void Cancel();
}

/// <summary>Receives the outcome of one connect. One of the two methods is called, once, on the core thread.</summary>
internal interface ILinkConnectResult
{
    /// <summary>
    /// The host was authenticated and admitted this node. Set the link's handler before returning, or the link is closed.
    /// </summary>
    void OnConnected(ILink link);

    /// <summary>No link was established.</summary>
    /// <param name="failure">The kind of failure, which determines what to do next.</param>
    /// <param name="text">Display text: what went wrong, and where.</param>
    /// <param name="leader">
    /// The endpoint of the host that leads the cluster, as the authenticated host says that was asked; null if it says nothing.
    /// </param>
    void OnConnectFailed(LinkConnectFailure failure, string text, string? leader);
}

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
