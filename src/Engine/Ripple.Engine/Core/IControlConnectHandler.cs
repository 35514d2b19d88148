namespace Ripple.Engine.Core;

/// <summary>The answer to an attempt to connect. Core thread.</summary>
public interface IControlConnectHandler
{
    /// <summary>The connection stands, and both sides are proved.</summary>
    /// <param name="link">The connection; its peer is the host.</param>
    /// <param name="self">What this side proved to the host.</param>
    void OnConnected(IControlLink link, LinkPeer self);

    /// <summary>It failed.</summary>
    /// <param name="reason">What happened and what to do.</param>
    /// <param name="isRefusal">True when the host refused the credential: trying again soon will not help.</param>
    void OnConnectFailed(string reason, bool isRefusal);
}
