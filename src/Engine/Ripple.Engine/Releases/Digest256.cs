using System.Buffers.Binary;

namespace Ripple.Engine.Releases;

/// <summary>A full SHA-256 hash, of a chunk or a tree node. A value type without heap memory; the default value is all zeros.</summary>
internal readonly struct Digest256 : IEquatable<Digest256>
{
    /// <summary>The length in bytes.</summary>
    public const int Size = 32;

    private readonly ulong _first;
    private readonly ulong _second;
    private readonly ulong _third;
    private readonly ulong _fourth;

    private Digest256(ReadOnlySpan<byte> bytes)
    {
        _first = BinaryPrimitives.ReadUInt64BigEndian(bytes);
        _second = BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]);
        _third = BinaryPrimitives.ReadUInt64BigEndian(bytes[16..]);
        _fourth = BinaryPrimitives.ReadUInt64BigEndian(bytes[24..]);
    }

    /// <summary>True for the default value.</summary>
    public bool IsZero => (_first | _second | _third | _fourth) == 0;

    /// <summary>Reads 32 bytes; throws when the span is shorter.</summary>
    public static Digest256 Read(ReadOnlySpan<byte> source) => new(source[..Size]);

    /// <summary>Writes 32 bytes; throws when the span is shorter.</summary>
    public void Write(Span<byte> destination)
    {
        BinaryPrimitives.WriteUInt64BigEndian(destination, _first);
        BinaryPrimitives.WriteUInt64BigEndian(destination[8..], _second);
        BinaryPrimitives.WriteUInt64BigEndian(destination[16..], _third);
        BinaryPrimitives.WriteUInt64BigEndian(destination[24..], _fourth);
    }

    /// <inheritdoc/>
    public bool Equals(Digest256 other) =>
        _first == other._first && _second == other._second && _third == other._third && _fourth == other._fourth;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Digest256 other && Equals(other);

    /// <summary>Bytes of the hash itself; the same in every process.</summary>
    public override int GetHashCode() => unchecked((int)_first);

    /// <summary>64 lower-case hexadecimal digits.</summary>
    public override string ToString()
    {
        Span<byte> bytes = stackalloc byte[Size];
        Write(bytes);
        return Convert.ToHexStringLower(bytes);
    }

    /// <summary>Whether all bytes are equal.</summary>
    public static bool operator ==(Digest256 left, Digest256 right) => left.Equals(right);

    /// <summary>Whether any byte differs.</summary>
    public static bool operator !=(Digest256 left, Digest256 right) => !left.Equals(right);
}
