namespace Ripple.Engine.Links;

/// <summary>Takes the outcome of one connect. One of the two is called, once, on the core thread.</summary>
internal interface ILinkConnectResult
{
    /// <summary>The host was authenticated, and admitted this node. Set the link's handler before returning, or it is closed.</summary>
    void OnConnected(ILink link);

    /// <summary>There is no link.</summary>
    /// <param name="failure">What to do about it.</param>
    /// <param name="text">For people: what went wrong, where.</param>
    void OnConnectFailed(LinkConnectFailure failure, string text);
}
