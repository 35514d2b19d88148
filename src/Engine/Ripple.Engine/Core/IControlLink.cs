namespace Ripple.Engine.Core;

/// <summary>
/// One control connection (TLS, or simulated) as the engine sees it: frames, in order, without loss while it lives. Core thread.
/// </summary>
public interface IControlLink
{
    /// <summary>What the other side proved.</summary>
    LinkPeer Peer { get; }

    /// <summary>Who takes the frames; set before the turn in which the link was handed over ends.</summary>
    IControlLinkHandler? Handler { get; set; }

    /// <summary>How many bytes the bounded send buffer takes now.</summary>
    int SendRoomBytes { get; }

    /// <summary>Queues a frame. False when the send buffer has no room for it: <see cref="IControlLinkHandler.OnWritable"/> is called once half of the buffer
    /// is free. The bytes are the caller's again when this returns.</summary>
    bool TrySend(ushort type, ReadOnlySpan<byte> body);

    /// <summary>Ends the connection after what was queued has been sent, as far as the other side takes it. No callback comes after this.</summary>
    void Close(string reason);
}
