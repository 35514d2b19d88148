using Ripple.Engine.Core;

namespace Ripple.Engine.Stack;

/// <summary>
/// Sends frames as one sealed packet when the socket takes them: how the requests for repair of a stream and the tokens of a ring leave.
/// </summary>
internal interface IFrameSender
{
    /// <summary>
    /// Queues the frames of one packet for one destination. False when the bounded queue is full: the caller's alarm tries again.
    /// </summary>
    bool TrySend(in NodeAddress to, PacketClass packetClass, ReadOnlySpan<byte> frames);
}
