using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Ripple.Load.Push;

/// <summary>A value that says which publish it is of, and carries a hash of itself.</summary>
internal static class LoadValue
{
    /// <summary>The shortest there can be.</summary>
    public const int BytesMin = sizeof(long) + SHA256.HashSizeInBytes;

    public const string Key = "load";

    public static byte[] Make(int publish, int bytes)
    {
        byte[] value = new byte[bytes];
        Span<byte> content = value.AsSpan(0, bytes - SHA256.HashSizeInBytes);
        RandomNumberGenerator.Fill(content);
        BinaryPrimitives.WriteInt64LittleEndian(content, publish);
        SHA256.HashData(content, value.AsSpan(content.Length));
        return value;
    }

    /// <summary>The number of the publish; -1 for a value that is not as it was made.</summary>
    public static int Check(ReadOnlySpan<byte> value)
    {
        if (value.Length < BytesMin)
        {
            return -1;
        }

        ReadOnlySpan<byte> content = value[..^SHA256.HashSizeInBytes];
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(content, hash);
        return hash.SequenceEqual(value[content.Length..]) ? (int)BinaryPrimitives.ReadInt64LittleEndian(content) : -1;
    }
}
