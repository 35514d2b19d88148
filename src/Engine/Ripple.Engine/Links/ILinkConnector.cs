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
