namespace Ripple.Engine.Stack;

/// <summary>
/// Something that has datagrams to send (QSM Fig. 13). It registers its intent with a sink; the sink pulls when it can send, and the
/// datagram is made at that moment, from the freshest state.
/// </summary>
internal interface IDatagramFeed
{
    /// <summary>
    /// Called on the core thread by the sink the feed is registered with. True: <paramref name="slot"/> holds one datagram, valid until the
    /// next call into the feed. False: nothing to send; the sink forgets the feed until it registers again.
    /// </summary>
    bool TryPull(ref DatagramSlot slot);
}
