using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// Seals nothing: the clear header with the sender's slot, the frames, a tag of zeros. No one forges here, and no bits flip.
/// </summary>
internal sealed class OverloadSealer(int slot) : IPacketSealer
{
    private const int TagBytes = 16;

    public static int SlotOf(ReadOnlySpan<byte> datagram) => datagram[4];

    public static PacketClass ClassOf(ReadOnlySpan<byte> datagram) => (PacketClass)datagram[1];

    public static ReadOnlySpan<byte> Open(ReadOnlySpan<byte> datagram) => datagram[IPacketSealer.FramesOffset..^TagBytes];

    public int Seal(Span<byte> datagram, int framesBytes, PacketClass packetClass)
    {
        int length = IPacketSealer.FramesOffset + framesBytes + TagBytes;
        datagram[..IPacketSealer.FramesOffset].Clear();
        datagram[0] = 0x11;
        datagram[1] = (byte)packetClass;
        BinaryPrimitives.WriteUInt16LittleEndian(datagram[2..], (ushort)length);
        datagram[4] = (byte)slot;
        datagram[(length - TagBytes)..length].Clear();
        return length;
    }
}
