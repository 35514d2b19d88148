using Ripple.Engine.Core;

namespace Ripple.Engine.Stack;

/// <summary>
/// Sends frames as one sealed packet when the socket accepts it. Used for a stream's requests for repair and a ring's tokens.
/// </summary>
internal interface IFrameSender
{
    /// <summary>The most bytes of frames in one packet. Never changes.</summary>
    int FramesBytesMax { get; }

    /// <summary>
    /// Queues the frames of one packet for one destination. False when the bounded queue is full: the caller retries from an alarm.
    /// </summary>
    bool TrySend(in NodeAddress to, PacketClass packetClass, ReadOnlySpan<byte> frames);
}
