using System.Globalization;
using System.Net;

namespace Ripple.Engine.Core;

/// <summary>
/// The address of a datagram port: an IPv6 address (IPv4 as mapped) and a port. A value without heap or socket types, so that the engine
/// and the simulator share it. The default value means no address.
/// </summary>
/// <param name="High">The first eight bytes of the IPv6 address, big-endian.</param>
/// <param name="Low">The last eight bytes of the IPv6 address, big-endian.</param>
/// <param name="Port">The UDP port.</param>
internal readonly record struct NodeAddress(ulong High, ulong Low, ushort Port)
{
    /// <summary>True for the default value.</summary>
    public bool IsNone => High == 0 && Low == 0 && Port == 0;

    /// <summary>True if one machine may have it: it has a port, and is no group, broadcast or unspecified address.</summary>
    public bool IsSendable
    {
        get
        {
            const ulong MappedPrefix = 0x0000_FFFF_0000_0000;
            if (Port == 0)
            {
                return false;
            }

            if (High != 0 || (Low & 0xFFFF_FFFF_0000_0000) != MappedPrefix)
            {
                return (High >> 56) != 0xFF && (High | Low) != 0;
            }

            uint address = (uint)Low;
            return address != 0 && address < 0xE000_0000;
        }
    }

    /// <summary>True if both are ports of one address.</summary>
    public bool IsOnHostOf(in NodeAddress other) => High == other.High && Low == other.Low;

    /// <summary>An IPv4 address, mapped.</summary>
    public static NodeAddress FromIPv4(uint address, ushort port) => new(0, 0x0000_FFFF_0000_0000UL | address, port);

    /// <summary>The address of a socket end point.</summary>
    public static NodeAddress From(IPEndPoint endPoint)
    {
        Span<byte> bytes = stackalloc byte[16];
        endPoint.Address.MapToIPv6().TryWriteBytes(bytes, out _);
        return new(
            System.Buffers.Binary.BinaryPrimitives.ReadUInt64BigEndian(bytes),
            System.Buffers.Binary.BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]),
            (ushort)endPoint.Port);
    }

    /// <summary>The socket end point, as IPv4 where mapped. Allocates.</summary>
    public IPEndPoint ToEndPoint()
    {
        Span<byte> bytes = stackalloc byte[16];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt64BigEndian(bytes, High);
        System.Buffers.Binary.BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], Low);
        var address = new IPAddress(bytes);
        return new(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address, Port);
    }

    /// <inheritdoc/>
    public override string ToString() => IsNone ? "none" : string.Create(CultureInfo.InvariantCulture, $"{ToEndPoint()}");
}
