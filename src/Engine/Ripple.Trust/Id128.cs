using System.Buffers.Binary;
using System.Globalization;
using System.Security.Cryptography;

namespace Ripple.Trust;

/// <summary>Sixteen random bytes that identify a cluster or a node. Text form: 32 lower-case hexadecimal digits, in byte order.</summary>
/// <param name="High">The first eight bytes, big-endian.</param>
/// <param name="Low">The last eight bytes, big-endian.</param>
public readonly record struct Id128(ulong High, ulong Low)
{
    /// <summary>Size of the binary form, in bytes.</summary>
    public const int Bytes = 16;

    /// <summary>Length of the text form, in characters.</summary>
    public const int HexLength = 32;

    /// <summary>Creates an id using the system's cryptographic random generator.</summary>
    public static Id128 New()
    {
        Span<byte> bytes = stackalloc byte[Bytes];
        RandomNumberGenerator.Fill(bytes);
        return Read(bytes);
    }

    /// <summary>Reads the binary form from the first 16 bytes.</summary>
    public static Id128 Read(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]));

    /// <summary>Parses the text form strictly: exactly 32 lower-case digits.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out Id128 id)
    {
        id = default;
        if (!TrustText.IsLowerHex(text, HexLength))
        {
            return false;
        }

        id = new(
            ulong.Parse(text[..16], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture),
            ulong.Parse(text[16..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
        return true;
    }

    /// <summary>Writes the binary form into the first 16 bytes.</summary>
    public void Write(Span<byte> bytes)
    {
        BinaryPrimitives.WriteUInt64BigEndian(bytes, High);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[8..], Low);
    }

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{High:x16}{Low:x16}");
}
