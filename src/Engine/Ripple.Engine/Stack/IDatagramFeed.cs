namespace Ripple.Engine.Stack;

/// <summary>
/// A source of datagrams (QSM Fig. 13). It registers its intent to send with a sink; the sink pulls when it can send, and the datagram is
/// built at that moment, from the latest state.
/// </summary>
internal interface IDatagramFeed
{
    /// <summary>
    /// Called on the core thread by the sink that the feed is registered with. True: <paramref name="slot"/> holds one datagram or train,
    /// valid until the next call into the feed. False: nothing to send; the sink removes the feed until it registers again.
    /// </summary>
    bool TryPull(ref DatagramSlot slot);
}
