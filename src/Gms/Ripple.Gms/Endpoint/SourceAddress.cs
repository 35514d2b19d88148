using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// Who a connection is counted for before anything is known of it: an IPv4 address, or the first half of an IPv6 address, which is what one
/// customer is given.
/// </summary>
/// <param name="Prefix">The address, or its first 64 bits.</param>
/// <param name="IsIPv6">True for IPv6.</param>
internal readonly record struct SourceAddress(ulong Prefix, bool IsIPv6)
{
    /// <summary>
    /// What a provider gives to one site at most: the address itself, or the first 48 bits of an IPv6 address, which have 65,536 of those
    /// that count for themselves.
    /// </summary>
    public SourceAddress Site => IsIPv6 ? this with { Prefix = Prefix & ~0xFFFFUL } : this;

    public static SourceAddress Of(EndPoint? remote)
    {
        if (remote is not IPEndPoint { Address: { } address })
        {
            return default;
        }

        address = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);
        return address.AddressFamily == AddressFamily.InterNetwork
            ? new SourceAddress(BinaryPrimitives.ReadUInt32BigEndian(bytes), IsIPv6: false)
            : new SourceAddress(BinaryPrimitives.ReadUInt64BigEndian(bytes), IsIPv6: true);
    }

    /// <summary>As people write it: <c>192.0.2.1</c>, or <c>2001:db8:1:2::/64</c>.</summary>
    public override string ToString()
    {
        Span<byte> bytes = stackalloc byte[16];
        bytes.Clear();
        if (IsIPv6)
        {
            BinaryPrimitives.WriteUInt64BigEndian(bytes, Prefix);
            return $"{new IPAddress(bytes)}/64";
        }

        BinaryPrimitives.WriteUInt32BigEndian(bytes, (uint)Prefix);
        return new IPAddress(bytes[..4]).ToString();
    }
}
