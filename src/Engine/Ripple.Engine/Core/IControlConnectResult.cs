namespace Ripple.Engine.Core;

/// <summary>Takes the outcome of one connect. One of the two is called, once, on the core thread.</summary>
public interface IControlConnectResult
{
    /// <summary>The host was authenticated, and admitted this node. Set the link's handler before returning, or it is closed.</summary>
    void OnConnected(IControlLink link);

    /// <summary>There is no link.</summary>
    /// <param name="failure">What to do about it.</param>
    /// <param name="text">For people: what went wrong, where.</param>
    void OnConnectFailed(ControlConnectFailure failure, string text);
}
