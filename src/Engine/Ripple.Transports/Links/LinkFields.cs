using System.Buffers.Binary;

namespace Ripple.Transports.Links;

/// <summary>Fields preceded by a u16 length, little-endian.</summary>
internal static class LinkFields
{
    public static void Write(Stream to, ReadOnlySpan<byte> field)
    {
        Span<byte> length = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(length, checked((ushort)field.Length));
        to.Write(length);
        to.Write(field);
    }

    public static bool TryRead(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> field)
    {
        field = default;
        if (rest.Length < 2)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(rest);
        if (rest.Length < 2 + length)
        {
            return false;
        }

        field = rest.Slice(2, length);
        rest = rest[(2 + length)..];
        return true;
    }
}
