using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>
/// Writes the clear header and seals nothing: what sealing costs is the difference. Of this benchmark only; no host or client can be given
/// it.
/// </summary>
internal sealed class NullSealer(ulong regionId, uint slot) : IPacketSealer
{
    private readonly ulong[] _counters = new ulong[4];

    public int Seal(Span<byte> datagram, int framesBytes, PacketClass packetClass)
    {
        int length = PacketHeader.Size + framesBytes + PacketHeader.TagSize;
        ulong counter = ++_counters[(int)packetClass] | ((ulong)packetClass << PacketHeader.ClassShift);
        new PacketHeader(packetClass, length, 1, regionId, slot, counter).Write(datagram);
        return length;
    }
}
