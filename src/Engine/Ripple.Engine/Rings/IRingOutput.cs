using Ripple.Engine.Core;

namespace Ripple.Engine.Rings;

/// <summary>How a ring's frames leave: sealed under the region's key when the socket takes them.</summary>
public interface IRingOutput
{
    /// <summary>Queues the frames of one control packet for one destination. False when the bounded queue is full: the ring's alarms try again.</summary>
    bool TrySend(in NodeAddress to, PacketClass packetClass, ReadOnlySpan<byte> frames);
}
