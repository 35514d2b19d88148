using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Quickstart.Nodes;

/// <summary>
/// SHA-256 over every key and value of a state, each behind its length, in the order of the keys: equal only if every byte is.
/// </summary>
internal static class ValuesHash
{
    public static string Of(IEnumerable<KeyValuePair<string, ReadOnlyMemory<byte>>> values)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach ((string key, ReadOnlyMemory<byte> value) in values.OrderBy(v => v.Key, StringComparer.Ordinal))
        {
            Append(hash, Encoding.UTF8.GetBytes(key));
            Append(hash, value.Span);
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    private static void Append(IncrementalHash hash, ReadOnlySpan<byte> bytes)
    {
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, bytes.Length);
        hash.AppendData(length);
        hash.AppendData(bytes);
    }
}
