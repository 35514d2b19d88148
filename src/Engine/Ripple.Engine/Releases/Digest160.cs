using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Ripple.Engine.Releases;

/// <summary>
/// The first 20 bytes of a SHA-256 hash, identifying a release, a value or a state. A value type without heap memory; ordered by its bytes.
/// The default value is all zeros and identifies nothing.
/// </summary>
public readonly struct Digest160 : IEquatable<Digest160>, IComparable<Digest160>
{
    /// <summary>The length in bytes.</summary>
    public const int Size = 20;

    private readonly ulong _high;
    private readonly ulong _middle;
    private readonly uint _low;

    private Digest160(ulong high, ulong middle, uint low)
    {
        _high = high;
        _middle = middle;
        _low = low;
    }

    private Digest160(ReadOnlySpan<byte> bytes)
    {
        _high = BinaryPrimitives.ReadUInt64BigEndian(bytes);
        _middle = BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]);
        _low = BinaryPrimitives.ReadUInt32BigEndian(bytes[16..]);
    }

    /// <summary>True for the default value, which stands for "none".</summary>
    public bool IsZero => (_high | _middle | _low) == 0;

    /// <summary>SHA-256 of <paramref name="domain"/> followed by <paramref name="data"/>, truncated.</summary>
    public static Digest160 Hash(ReadOnlySpan<byte> domain, ReadOnlySpan<byte> data)
    {
        Span<byte> hash = stackalloc byte[Digest256.Size];
        int length = domain.Length + data.Length;
        if (length <= 512)
        {
            Span<byte> joined = stackalloc byte[512];
            domain.CopyTo(joined);
            data.CopyTo(joined[domain.Length..]);
            SHA256.HashData(joined[..length], hash);
        }
        else
        {
            using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            sha.AppendData(domain);
            sha.AppendData(data);
            sha.GetHashAndReset(hash);
        }

        return new(hash);
    }

    /// <summary>Reads 20 bytes; throws when the span is shorter.</summary>
    public static Digest160 Read(ReadOnlySpan<byte> source) => new(source[..Size]);

    /// <summary>Writes 20 bytes; throws when the span is shorter.</summary>
    public void Write(Span<byte> destination)
    {
        BinaryPrimitives.WriteUInt64BigEndian(destination, _high);
        BinaryPrimitives.WriteUInt64BigEndian(destination[8..], _middle);
        BinaryPrimitives.WriteUInt32BigEndian(destination[16..], _low);
    }

    /// <summary>The 20 bytes in a new array.</summary>
    public byte[] ToArray()
    {
        byte[] bytes = new byte[Size];
        Write(bytes);
        return bytes;
    }

    /// <summary>
    /// Parses the form that <see cref="ToString"/> writes: exactly 40 hexadecimal digits of either case. On failure the result is the
    /// default value.
    /// </summary>
    public static bool TryParse(ReadOnlySpan<char> text, out Digest160 digest)
    {
        Span<byte> bytes = stackalloc byte[Size];
        if (text.Length == 2 * Size && Convert.FromHexString(text, bytes, out _, out _) == System.Buffers.OperationStatus.Done)
        {
            digest = new(bytes);
            return true;
        }

        digest = default;
        return false;
    }

    /// <inheritdoc/>
    public bool Equals(Digest160 other) => _high == other._high && _middle == other._middle && _low == other._low;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Digest160 other && Equals(other);

    /// <summary>Bytes of the digest, which is a hash already; the same in every process.</summary>
    public override int GetHashCode() => unchecked((int)_high);

    /// <summary>Orders by the bytes, first byte first.</summary>
    public int CompareTo(Digest160 other)
    {
        int order = _high.CompareTo(other._high);
        order = order != 0 ? order : _middle.CompareTo(other._middle);
        return order != 0 ? order : _low.CompareTo(other._low);
    }

    /// <summary>40 lower-case hexadecimal digits.</summary>
    public override string ToString()
    {
        Span<byte> bytes = stackalloc byte[Size];
        Write(bytes);
        return Convert.ToHexStringLower(bytes);
    }

    /// <summary>The exclusive or of the bytes of both.</summary>
    internal Digest160 Xor(in Digest160 other) => new(_high ^ other._high, _middle ^ other._middle, _low ^ other._low);

    /// <summary>Whether all bytes are equal.</summary>
    public static bool operator ==(Digest160 left, Digest160 right) => left.Equals(right);

    /// <summary>Whether any byte differs.</summary>
    public static bool operator !=(Digest160 left, Digest160 right) => !left.Equals(right);

    /// <summary>Orders by the bytes.</summary>
    public static bool operator <(Digest160 left, Digest160 right) => left.CompareTo(right) < 0;

    /// <summary>Orders by the bytes.</summary>
    public static bool operator <=(Digest160 left, Digest160 right) => left.CompareTo(right) <= 0;

    /// <summary>Orders by the bytes.</summary>
    public static bool operator >(Digest160 left, Digest160 right) => left.CompareTo(right) > 0;

    /// <summary>Orders by the bytes.</summary>
    public static bool operator >=(Digest160 left, Digest160 right) => left.CompareTo(right) >= 0;
}
