namespace Ripple.Engine.Links;

/// <summary>Takes what a control link brings. Called on the core thread only; may call back into the link from inside.</summary>
internal interface ILinkHandler
{
    /// <summary>One frame, in the order it was sent.</summary>
    /// <param name="type">At least <see cref="LinkFrame.FirstProtocolType"/>.</param>
    /// <param name="body">Valid during the call only. Untrusted: the other side is who it says, but may send anything.</param>
    void OnFrame(ushort type, ReadOnlySpan<byte> body);

    /// <summary>At least half of the send buffer is free again, after a <see cref="ILink.TrySend"/> that returned false.</summary>
    void OnWritable();

    /// <summary>The link ended, and not by a call of <see cref="ILink.Close"/> on this side. The last call; frames that came before it
    /// were delivered before it.</summary>
    /// <param name="reason">For people: what the other side said, or what broke.</param>
    void OnClosed(string reason);
}
