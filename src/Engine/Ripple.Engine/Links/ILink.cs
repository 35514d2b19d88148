namespace Ripple.Engine.Links;

/// <summary>
/// One authenticated connection (TLS, or simulated) as the engine sees it: frames in order, each way, until it closes. Everything here is
/// called on the core thread. Both directions are bounded: what does not fit waits at whoever sends.
/// </summary>
internal interface ILink
{
    /// <summary>What the transport proved about the other side. Never changes.</summary>
    LinkPeer Peer { get; }

    /// <summary>
    /// Who takes the frames. Set it before the call that brought the link returns: a link that nobody took then is closed. It may be
    /// replaced later; null then drops what comes.
    /// </summary>
    ILinkHandler? Handler { get; set; }

    /// <summary>
    /// Queues one frame; the body is copied. False when it does not fit now: nothing is queued, and <see cref="ILinkHandler.OnWritable"/>
    /// will be called once, when at least half of the send buffer is free. Also false, without any later call, when the link is closed.
    /// </summary>
    /// <param name="type">At least <see cref="LinkFrame.FirstProtocolType"/>.</param>
    /// <param name="body">At most <see cref="LinkFrame.BodyBytesMax"/> bytes; may be empty.</param>
    /// <exception cref="ArgumentOutOfRangeException">The type is the link's own, or the body is too long.</exception>
    bool TrySend(ushort type, ReadOnlySpan<byte> body);

    /// <summary>Bytes free in the send buffer now; a frame takes its body and <see cref="LinkFrame.HeaderBytes"/>. 0 when closed.</summary>
    int SendRoomBytes { get; }

    /// <summary>
    /// Ends the link. What is queued is still sent if the other side takes it within a short time. No callback comes after this call,
    /// <see cref="ILinkHandler.OnClosed"/> neither. Does nothing on a closed link.
    /// </summary>
    /// <param name="reason">Told to the other side, whose <see cref="ILinkHandler.OnClosed"/> gets it.</param>
    void Close(string reason);
}
