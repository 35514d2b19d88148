using System.Buffers.Binary;
using System.Security.Cryptography;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class ContentDigestTests
{
    [Fact]
    public void Chunks_cover_the_value_and_keep_their_bounds()
    {
        byte[] value = Bytes(7, 3_000_000);
        List<(int Offset, int Length)> chunks = ContentChunker.Cut(value);
        int offset = 0;
        for (int i = 0; i < chunks.Count; i++)
        {
            Assert.Equal(offset, chunks[i].Offset);
            Assert.InRange(chunks[i].Length, i < chunks.Count - 1 ? ContentChunker.ChunkBytesMin : 1, ContentChunker.ChunkBytesMax);
            offset += chunks[i].Length;
        }

        Assert.Equal(value.Length, offset);
        Assert.InRange(value.Length / chunks.Count, 6 * 1024, 12 * 1024);
    }

    [Fact]
    public void Cuts_never_change()
    {
        // Known from the first version: a change here renames every value in every store.
        byte[] value = new byte[100_000];
        var random = new DeterministicRandom(8);
        for (int i = 0; i < value.Length; i++)
        {
            value[i] = (byte)random.NextUInt64();
        }

        Assert.Equal(KnownLengths, ContentChunker.Cut(value).Select(c => c.Length));
        Assert.Equal(KnownDigest, ContentDigest.Compute(value).ToString());
        Assert.Equal(KnownEmptyDigest, ContentDigest.Compute(default).ToString());
    }

    private static readonly int[] KnownLengths = [11684, 8794, 9642, 8334, 14963, 5039, 9016, 11498, 10611, 9104, 1315];
    private const string KnownDigest = "13aebd0e9017ced81b6332fd47e4807845314d78";
    private const string KnownEmptyDigest = "c0e50f0d90d6e2fea1e6f53d4f758ed5fc9035a3";

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2048)]
    [InlineData(2049)]
    [InlineData(100_000)]
    [InlineData(1_000_000)]
    public void Digest_is_that_of_the_definition(int length)
    {
        byte[] value = Bytes(9, length);
        List<byte[]> leaves = [.. ContentChunker.Cut(value).Select(c => SHA256.HashData([0, .. value.AsSpan(c.Offset, c.Length)]))];
        byte[] total = new byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(total, length);
        Assert.Equal(SHA256.HashData([2, .. total, .. Tree(leaves)])[..20], ContentDigest.Compute(value).ToArray());
    }

    [Fact]
    public void An_edit_keeps_all_chunks_but_those_beside_it()
    {
        byte[] value = Bytes(10, 1_000_000);
        byte[] edited = [.. value[..500_000], .. "inserted"u8, .. value[500_000..]];
        ContentManifest manifest = ContentDigest.Describe(edited);
        var assembly = new ContentAssembly(manifest, value);
        Assert.InRange(assembly.MissingCount, 1, 4);
        Assert.False(assembly.TryGetValue(out _));
        Fill(assembly, edited);
        Assert.True(assembly.TryGetValue(out byte[]? got));
        Assert.Equal(edited, got);
    }

    [Fact]
    public void A_value_without_cuts_has_chunks_of_the_greatest_length()
    {
        var chunks = ContentChunker.Cut(new byte[200_000]);
        Assert.Equal([65536, 65536, 65536, 3392], chunks.Select(c => c.Length));
        var assembly = new ContentAssembly(ContentDigest.Describe(new byte[200_000]), new byte[70_000]);
        Assert.Equal(1, assembly.MissingCount);
    }

    [Fact]
    public void A_wrong_chunk_is_refused_and_the_right_one_taken_later()
    {
        byte[] value = Bytes(11, 50_000);
        ContentManifest manifest = ContentDigest.Describe(value);
        var assembly = new ContentAssembly(manifest);
        ContentChunk first = manifest.Chunks[0];
        byte[] wrong = value[..first.Length];
        wrong[5] ^= 1;
        Assert.False(assembly.TryAdd(0, wrong));
        Assert.False(assembly.TryAdd(0, value.AsSpan(0, first.Length - 1)));
        Assert.False(assembly.TryAdd(-1, wrong));
        Assert.False(assembly.TryAdd(manifest.Chunks.Length, wrong));
        Assert.True(assembly.IsMissing(0));
        Fill(assembly, value);
        Assert.True(assembly.TryAdd(0, wrong));
        Assert.True(assembly.TryGetValue(out byte[]? got));
        Assert.Equal(value, got);
    }

    [Fact]
    public void An_empty_value_has_one_empty_chunk()
    {
        ContentManifest manifest = ContentDigest.Describe(default);
        Assert.Equal(0, Assert.Single(manifest.Chunks).Length);
        Assert.True(ContentManifest.TryRead(manifest.Encode(), out ContentManifest? read));
        var assembly = new ContentAssembly(read);
        Assert.True(assembly.TryAdd(0, default));
        Assert.True(assembly.TryGetValue(out byte[]? got));
        Assert.Empty(got);
    }

    [Fact]
    public void Manifests_come_back_and_every_truncation_is_refused()
    {
        foreach (int length in (int[])[0, 1, 2048, 40_000, 300_000])
        {
            ContentManifest manifest = ContentDigest.Describe(Bytes(12, length));
            byte[] bytes = manifest.Encode();
            Assert.True(ContentManifest.TryRead(bytes, out ContentManifest? read));
            Assert.Equal(manifest.Digest, read.Digest);
            Assert.Equal(manifest.Chunks.AsEnumerable(), read.Chunks);
            Assert.Equal(length, read.TotalBytes);
            for (int cut = 0; cut < bytes.Length; cut++)
            {
                Assert.False(ContentManifest.TryRead(bytes.AsSpan(0, cut), out _));
            }

            Assert.False(ContentManifest.TryRead([.. bytes, 0], out _));
        }
    }

    [Fact]
    public void Lying_and_random_manifests_are_refused_or_name_another_value()
    {
        var random = new Random(13);
        ContentManifest manifest = ContentDigest.Describe(Bytes(14, 60_000));
        byte[] good = manifest.Encode();
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            byte[] bytes = [.. good];
            int at = random.Next(bytes.Length);
            bytes[at] ^= (byte)random.Next(1, 256);
            if (ContentManifest.TryRead(bytes, out ContentManifest? read))
            {
                Assert.Equal(bytes, read.Encode());

                // A changed length alone would keep the digest, but the lengths add up to the total, so a single change cannot pass.
                Assert.NotEqual(manifest.Digest, read.Digest);
            }

            Span<byte> noise = bytes.AsSpan(0, random.Next(bytes.Length));
            random.NextBytes(noise);
            Assert.False(ContentManifest.TryRead(noise, out _));
        }
    }

    [Theory]
    [InlineData(0u, "")]
    [InlineData(0u, "0")]
    [InlineData(5000u, "1000,4000")]
    [InlineData(70000u, "70000")]
    [InlineData(100u, "100,0")]
    [InlineData(4096u, "2048,4294967295")]
    [InlineData(16777217u, "16777217")]
    public void Lengths_no_chunker_makes_are_refused(uint total, string lengths)
    {
        uint[] parts = [.. lengths.Split(',', StringSplitOptions.RemoveEmptyEntries).Select(uint.Parse)];
        byte[] bytes = new byte[9 + (36 * parts.Length)];
        bytes[0] = 1;
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(1), total);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(5), (uint)parts.Length);
        for (int i = 0; i < parts.Length; i++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(9 + (36 * i)), parts[i]);
        }

        bool isEmptyValue = total == 0 && parts is [0];
        Assert.Equal(isEmptyValue, ContentManifest.TryRead(bytes, out _));
    }

    private static void Fill(ContentAssembly assembly, byte[] value)
    {
        for (int i = assembly.Manifest.Chunks.Length - 1; i >= 0; i--)
        {
            ContentChunk chunk = assembly.Manifest.Chunks[i];
            Assert.True(assembly.TryAdd(i, value.AsSpan(chunk.Offset, chunk.Length)));
        }
    }

    private static byte[] Bytes(int seed, int length)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private static byte[] Tree(List<byte[]> leaves)
    {
        if (leaves.Count == 1)
        {
            return leaves[0];
        }

        int left = 1;
        while (left * 2 < leaves.Count)
        {
            left *= 2;
        }

        return SHA256.HashData([1, .. Tree(leaves[..left]), .. Tree(leaves[left..])]);
    }
}
