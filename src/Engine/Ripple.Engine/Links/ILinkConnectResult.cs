namespace Ripple.Engine.Links;

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
    void OnConnectFailed(LinkConnectFailure failure, string text);
}
