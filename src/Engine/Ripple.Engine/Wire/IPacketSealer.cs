using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>Turns frames into a sealed datagram under a region's key, at the moment of sending. Core thread.</summary>
internal interface IPacketSealer
{
    /// <summary>The offset of the frames in the buffer before sealing: right after the clear header.</summary>
    const int FramesOffset = 28;

    /// <summary>Seals in place.</summary>
    /// <param name="datagram">At least <see cref="WireLimits.DatagramBytesMax"/> bytes; the frames begin at
    /// <see cref="FramesOffset"/>.</param>
    /// <param name="framesBytes">The bytes of frames, at most <see cref="WireLimits.FramesBytesMax"/>.</param>
    /// <param name="packetClass">The class, which goes into the clear header and the counter.</param>
    /// <returns>The bytes of the whole datagram; 0 when this key must not seal more packets: nothing can be sent until there is
    /// another.</returns>
    int Seal(Span<byte> datagram, int framesBytes, PacketClass packetClass);
}
