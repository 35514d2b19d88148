namespace Ripple.Engine.Links;

/// <summary>
/// One authenticated connection (TLS, or simulated) as the engine sees it: ordered frames in both directions until it closes. All members
/// are called on the core thread. Both directions are bounded: data that does not fit waits at the sender.
/// </summary>
internal interface ILink
{
    /// <summary>The proven identity of the other side. Never changes.</summary>
    LinkPeer Peer { get; }

    /// <summary>
    /// Receives the frames. Set it before returning from the call that delivered the link: a link without a handler is then closed. It may
    /// be replaced later; null then drops received frames.
    /// </summary>
    ILinkHandler? Handler { get; set; }

    /// <summary>
    /// Queues one frame; the body is copied. False when it does not fit now: nothing is queued, and <see cref="ILinkHandler.OnWritable"/>
    /// is called once, when at least half of the send buffer is free. Also false, without a later call, when the link is closed.
    /// </summary>
    /// <param name="type">At least <see cref="LinkFrame.FirstProtocolType"/>.</param>
    /// <param name="body">At most <see cref="LinkFrame.BodyBytesMax"/> bytes; may be empty.</param>
    /// <exception cref="ArgumentOutOfRangeException">The type is reserved for the link, or the body is too long.</exception>
    bool TrySend(ushort type, ReadOnlySpan<byte> body);

    /// <summary>Bytes free in the send buffer now; a frame uses its body plus <see cref="LinkFrame.HeaderBytes"/>. 0 when closed.</summary>
    int SendRoomBytes { get; }

    /// <summary>
    /// Delivers nothing more until <see cref="GoOn"/>, neither frames nor the end: frames that came wait here, and beyond a batch of them
    /// at the other side, which finds no room. Sending goes on. May be called while a frame is delivered.
    /// </summary>
    void Hold();

    /// <summary>Delivers again what waited, in order, in this call or after it. May be held again by the first frame.</summary>
    void GoOn();

    /// <summary>
    /// Closes the link. Queued frames are still sent if the other side accepts them within a short time. No callback follows this call, not
    /// even <see cref="ILinkHandler.OnClosed"/>. Does nothing on a closed link.
    /// </summary>
    /// <param name="reason">Sent to the other side and passed to its <see cref="ILinkHandler.OnClosed"/>.</param>
    void Close(string reason);
}

/// <summary>Handles the frames and events of a control link. Called on the core thread only; may call into the link.</summary>
internal interface ILinkHandler
{
    /// <summary>One frame, in sending order.</summary>
    /// <param name="type">At least <see cref="LinkFrame.FirstProtocolType"/>.</param>
    /// <param name="body">Valid during the call only. Untrusted: the other side's identity is proven, but it may send anything.</param>
    void OnFrame(ushort type, ReadOnlySpan<byte> body);

    /// <summary>At least half of the send buffer is free again, after <see cref="ILink.TrySend"/> returned false.</summary>
    void OnWritable();

    /// <summary>
    /// The link closed, but not by <see cref="ILink.Close"/> on this side. The last call; frames received earlier are delivered first.
    /// </summary>
    /// <param name="reason">Display text: the other side's reason, or the error.</param>
    void OnClosed(string reason);
}

/// <summary>Receives the links that others open to this node. Called on the core thread.</summary>
internal interface ILinkAcceptor
{
    /// <summary>A link whose other side was authenticated and admitted. Set its handler before returning, or the link is closed.</summary>
    void OnLink(ILink link);
}
