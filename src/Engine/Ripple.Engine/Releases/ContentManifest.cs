using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Security.Cryptography;

namespace Ripple.Engine.Releases;

/// <summary>
/// The chunks of one value with their hashes. A node that fetches a large value requests the manifest first, compares <see cref="Digest"/>
/// with the digest in the release header, and then verifies each chunk on its own, whatever its source. Immutable.
/// </summary>
/// <remarks>
/// A matching digest proves every leaf hash for which a matching chunk exists. It does not show which side is wrong when no chunk fits: a
/// forger may replace leaves by the hash of their inner node, which no bytes hash to. A chunk that fails verification therefore discredits
/// the manifest as well: fetch both again from a host.
/// </remarks>
internal sealed class ContentManifest
{
    /// <summary>The longest encoded manifest, in bytes: the longest value in the shortest chunks.</summary>
    public const int EncodedBytesMax = HeadBytes + (ChunksMax * ChunkBytes);

    private const byte Version = 1;
    private const int HeadBytes = 1 + 4 + 4;
    private const int ChunkBytes = 4 + Digest256.Size;
    private const int ChunksMax = ReleaseLimits.BodyBytesMax / ContentChunker.ChunkBytesMin;

    internal ContentManifest(int totalBytes, ImmutableArray<ContentChunk> chunks)
    {
        TotalBytes = totalBytes;
        Chunks = chunks;
        Digest = ComputeDigest(totalBytes, chunks.AsSpan());
    }

    /// <summary>The length of the value in bytes.</summary>
    public int TotalBytes { get; }

    /// <summary>The chunks in order, without gaps; never empty.</summary>
    public ImmutableArray<ContentChunk> Chunks { get; }

    /// <summary>The digest of the value, computed from the hashes of the chunks.</summary>
    public Digest160 Digest { get; }

    /// <summary>The length of the encoded manifest in bytes.</summary>
    public int EncodedBytes => HeadBytes + (Chunks.Length * ChunkBytes);

    /// <summary>Whether these are the bytes of chunk <paramref name="index"/>.</summary>
    public bool Verify(int index, ReadOnlySpan<byte> chunk) =>
        Chunks[index].Length == chunk.Length && ContentDigest.Leaf(chunk) == Chunks[index].Leaf;

    /// <summary>
    /// Writes <see cref="EncodedBytes"/> bytes: u8 version, u32 total, u32 count, then for each chunk u32 length and 32 bytes of hash.
    /// Throws when the span is shorter.
    /// </summary>
    public int Write(Span<byte> destination)
    {
        destination[0] = Version;
        BinaryPrimitives.WriteUInt32LittleEndian(destination[1..], (uint)TotalBytes);
        BinaryPrimitives.WriteUInt32LittleEndian(destination[5..], (uint)Chunks.Length);
        int at = HeadBytes;
        foreach (ContentChunk chunk in Chunks)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(destination[at..], (uint)chunk.Length);
            chunk.Leaf.Write(destination[(at + 4)..]);
            at += ChunkBytes;
        }

        return at;
    }

    /// <summary>The encoded manifest in a new array.</summary>
    public byte[] Encode()
    {
        byte[] bytes = new byte[EncodedBytes];
        Write(bytes);
        return bytes;
    }

    /// <summary>
    /// Reads the output of <see cref="Write"/> and nothing else: false for a wrong version, lengths that the chunker never produces, a sum
    /// that is not the total, and missing or extra bytes. Allocates only after the sizes have been checked.
    /// </summary>
    public static bool TryRead(ReadOnlySpan<byte> source, [NotNullWhen(true)] out ContentManifest? manifest)
    {
        manifest = null;
        if (source.Length < HeadBytes || source[0] != Version)
        {
            return false;
        }

        uint total = BinaryPrimitives.ReadUInt32LittleEndian(source[1..]);
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(source[5..]);
        if (total > ReleaseLimits.BodyBytesMax || count is 0 or > ChunksMax || source.Length != HeadBytes + ((int)count * ChunkBytes))
        {
            return false;
        }

        ImmutableArray<ContentChunk>.Builder chunks = ImmutableArray.CreateBuilder<ContentChunk>((int)count);
        int offset = 0;
        for (int i = 0, at = HeadBytes; i < count; i++, at += ChunkBytes)
        {
            uint length = BinaryPrimitives.ReadUInt32LittleEndian(source[at..]);
            uint least = i < count - 1 ? ContentChunker.ChunkBytesMin : Math.Min(1, total);
            if (length < least || length > ContentChunker.ChunkBytesMax || length > total - (uint)offset)
            {
                return false;
            }

            chunks.Add(new(offset, (int)length, Digest256.Read(source[(at + 4)..])));
            offset += (int)length;
        }

        if (offset != total)
        {
            return false;
        }

        manifest = new((int)total, chunks.MoveToImmutable());
        return true;
    }

    private static Digest160 ComputeDigest(int totalBytes, ReadOnlySpan<ContentChunk> chunks)
    {
        Span<byte> data = stackalloc byte[8 + Digest256.Size];
        BinaryPrimitives.WriteUInt64LittleEndian(data, (ulong)totalBytes);
        Tree(chunks).Write(data[8..]);
        return Digest160.Hash([0x02], data);
    }

    // The left subtree takes the largest power of two below n, as in RFC 6962: the depth is at most 13.
    private static Digest256 Tree(ReadOnlySpan<ContentChunk> chunks)
    {
        if (chunks.Length == 1)
        {
            return chunks[0].Leaf;
        }

        int left = (int)BitOperations.RoundUpToPowerOf2((uint)chunks.Length) / 2;
        Span<byte> node = stackalloc byte[1 + (2 * Digest256.Size)];
        Span<byte> hash = stackalloc byte[Digest256.Size];
        node[0] = 0x01;
        Tree(chunks[..left]).Write(node[1..]);
        Tree(chunks[left..]).Write(node[(1 + Digest256.Size)..]);
        SHA256.HashData(node, hash);
        return Digest256.Read(hash);
    }
}

/// <summary>One chunk of a value.</summary>
/// <param name="Offset">Where it starts in the value.</param>
/// <param name="Length">Its length in bytes; 0 only for the one chunk of an empty value.</param>
/// <param name="Leaf">SHA-256(0x00 + bytes): verifies the bytes, and identifies equal chunks of two values.</param>
internal readonly record struct ContentChunk(int Offset, int Length, Digest256 Leaf);
