using System.Buffers.Binary;
using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>The clear, authenticated header of a packet: 28 bytes. See docs/design/identities.md.</summary>
/// <param name="Class">The priority class; also the top byte of the counter, so that each class has its own count.</param>
/// <param name="Length">The packet's length in bytes, from this header to the tag.</param>
/// <param name="KeyEpoch">The epoch of the key it is sealed with.</param>
/// <param name="RegionId">The region.</param>
/// <param name="Slot">The sealer's member slot; 0 is the host's.</param>
/// <param name="Counter">The sealer's counter: class in the top byte, then a number from 1.</param>
internal readonly record struct PacketHeader(PacketClass Class, int Length, uint KeyEpoch, ulong RegionId, uint Slot, ulong Counter)
{
    /// <summary>The length of the header.</summary>
    public const int Size = 28;

    /// <summary>The length of the tag at the end of the packet.</summary>
    public const int TagSize = 16;

    /// <summary>The first byte of a packet of this version.</summary>
    public const byte Version = 0x11;

    /// <summary>The bit position of the class in a counter.</summary>
    public const int ClassShift = 56;

    /// <summary>The number in the counter, without the class.</summary>
    public ulong Number => Counter & ((1UL << ClassShift) - 1);

    /// <summary>Reads the header of a datagram that holds one packet. Nothing in it is authentic until the packet is opened.</summary>
    public static PacketHeaderStatus TryRead(ReadOnlySpan<byte> datagram, out PacketHeader header)
    {
        header = default;
        if (datagram.Length < Size + TagSize)
        {
            return PacketHeaderStatus.TooShort;
        }

        if (datagram[0] != Version)
        {
            return PacketHeaderStatus.WrongVersion;
        }

        if ((datagram[PacketLayout.ClassOffset] & ~PacketLayout.ClassMask) != 0)
        {
            return PacketHeaderStatus.ReservedBits;
        }

        header = new PacketHeader(
            (PacketClass)datagram[PacketLayout.ClassOffset],
            BinaryPrimitives.ReadUInt16LittleEndian(datagram[PacketLayout.LengthOffset..]),
            BinaryPrimitives.ReadUInt32LittleEndian(datagram[4..]),
            BinaryPrimitives.ReadUInt64LittleEndian(datagram[8..]),
            BinaryPrimitives.ReadUInt32LittleEndian(datagram[16..]),
            BinaryPrimitives.ReadUInt64LittleEndian(datagram[20..]));
        if (header.Length != datagram.Length)
        {
            return PacketHeaderStatus.WrongLength;
        }

        bool isWrong = header.Counter >> ClassShift != (ulong)header.Class || header.Number == 0;
        return isWrong ? PacketHeaderStatus.WrongCounter : PacketHeaderStatus.Ok;
    }

    /// <summary>Writes the 28 bytes.</summary>
    public void Write(Span<byte> destination)
    {
        destination[0] = Version;
        destination[PacketLayout.ClassOffset] = (byte)Class;
        BinaryPrimitives.WriteUInt16LittleEndian(destination[PacketLayout.LengthOffset..], (ushort)Length);
        BinaryPrimitives.WriteUInt32LittleEndian(destination[4..], KeyEpoch);
        BinaryPrimitives.WriteUInt64LittleEndian(destination[8..], RegionId);
        BinaryPrimitives.WriteUInt32LittleEndian(destination[16..], Slot);
        BinaryPrimitives.WriteUInt64LittleEndian(destination[20..], Counter);
    }
}

/// <summary>Whether a datagram begins with a valid packet header.</summary>
internal enum PacketHeaderStatus
{
    /// <summary>It does.</summary>
    Ok,

    /// <summary>It is shorter than a header and a tag.</summary>
    TooShort,

    /// <summary>Its first byte is not that of a packet of this version.</summary>
    WrongVersion,

    /// <summary>The length in it is not the datagram's.</summary>
    WrongLength,

    /// <summary>A bit that must be zero is not.</summary>
    ReservedBits,

    /// <summary>The class in the counter is not the class of the packet, or the counter is 0.</summary>
    WrongCounter,
}
