namespace Ripple.Engine.Links;

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
