using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>Seals packets under a region's key. Core thread.</summary>
public interface IPacketSealer
{
    /// <summary>Seals the frames that stand behind the place of the header (<see cref="PacketHeader.Size"/>) and returns the datagram's length; 0 when this sealer has
    /// no number left and nothing may be sent before a new key.</summary>
    int Seal(Span<byte> datagram, int framesBytes, PacketClass packetClass);
}
