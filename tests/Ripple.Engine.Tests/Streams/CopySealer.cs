using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

/// <summary>A sealer that seals nothing: the clear header, the frames, a tag of zeros.</summary>
internal sealed class CopySealer : IPacketSealer
{
    public const int TagBytes = 16;

    /// <summary>How many packets it seals before it refuses.</summary>
    public int Left { get; set; } = int.MaxValue;

    public int Sealed { get; private set; }

    public byte Mark { get; init; }

    public static ReadOnlySpan<byte> Open(ReadOnlySpan<byte> datagram) => datagram[IPacketSealer.FramesOffset..^TagBytes];

    public int Seal(Span<byte> datagram, int framesBytes, PacketClass packetClass)
    {
        if (Left == 0)
        {
            return 0;
        }

        Left--;
        Sealed++;
        int length = IPacketSealer.FramesOffset + framesBytes + TagBytes;
        datagram[..IPacketSealer.FramesOffset].Clear();
        datagram[0] = 0x11;
        datagram[1] = (byte)packetClass;
        BinaryPrimitives.WriteUInt16LittleEndian(datagram[2..], (ushort)length);
        datagram[4] = Mark;
        datagram.Slice(length - TagBytes, TagBytes).Clear();
        return length;
    }
}
