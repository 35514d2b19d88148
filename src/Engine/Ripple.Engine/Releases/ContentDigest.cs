using System.Collections.Immutable;
using System.Security.Cryptography;

namespace Ripple.Engine.Releases;

/// <summary>
/// The digest of a value: a Merkle tree over its content-defined chunks, so that an edit changes the hashes of few chunks and a large value
/// can be verified chunk by chunk.
/// </summary>
internal static class ContentDigest
{
    /// <summary>The digest of a value; equal bytes always have the same digest.</summary>
    public static Digest160 Compute(ReadOnlySpan<byte> value) => Describe(value).Digest;

    /// <summary>
    /// The chunks of a value with their hashes; the manifest's <see cref="ContentManifest.Digest"/> is the value's digest.
    /// </summary>
    public static ContentManifest Describe(ReadOnlySpan<byte> value)
    {
        using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        List<(int Offset, int Length)> cuts = ContentChunker.Cut(value);
        ImmutableArray<ContentChunk>.Builder chunks = ImmutableArray.CreateBuilder<ContentChunk>(cuts.Count);
        foreach ((int offset, int length) in cuts)
        {
            chunks.Add(new(offset, length, Leaf(sha, value.Slice(offset, length))));
        }

        return new(value.Length, chunks.MoveToImmutable());
    }

    /// <summary>The hash of one chunk: SHA-256(0x00 + bytes).</summary>
    public static Digest256 Leaf(ReadOnlySpan<byte> chunk)
    {
        using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        return Leaf(sha, chunk);
    }

    private static Digest256 Leaf(IncrementalHash sha, ReadOnlySpan<byte> chunk)
    {
        Span<byte> hash = stackalloc byte[Digest256.Size];
        sha.AppendData([0x00]);
        sha.AppendData(chunk);
        sha.GetHashAndReset(hash);
        return Digest256.Read(hash);
    }
}
