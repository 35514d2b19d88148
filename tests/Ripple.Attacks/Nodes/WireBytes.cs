using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Ripple.Attacks.Nodes;

/// <summary>
/// Writes what goes over the wire, little-endian, by hand: an attacker says what no client would, also to hosts of other versions.
/// </summary>
internal sealed class WireBytes
{
    private readonly ArrayBufferWriter<byte> _bytes = new();

    /// <summary>The bytes so far.</summary>
    public byte[] ToArray() => _bytes.WrittenSpan.ToArray();

    public WireBytes U8(int value)
    {
        return Raw([(byte)value]);
    }

    public WireBytes U16(int value)
    {
        Span<byte> bytes = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, (ushort)value);
        return Raw(bytes);
    }

    public WireBytes U32(uint value)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return Raw(bytes);
    }

    public WireBytes U64(ulong value)
    {
        Span<byte> bytes = stackalloc byte[8];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
        return Raw(bytes);
    }

    public WireBytes Raw(ReadOnlySpan<byte> bytes)
    {
        _bytes.Write(bytes);
        return this;
    }

    /// <summary>Text behind a length of one byte.</summary>
    public WireBytes Text8(string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        return U8(bytes.Length).Raw(bytes);
    }

    /// <summary>Text behind a length of two bytes.</summary>
    public WireBytes Text16(string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        return U16(bytes.Length).Raw(bytes);
    }

    /// <summary>A frame of a packet: type, no flags, length, payload.</summary>
    public static byte[] Frame(int type, byte[] payload) => new WireBytes().U8(type).U8(0).U16(payload.Length).Raw(payload).ToArray();
}
