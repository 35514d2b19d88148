using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Values, and the messages of a stream that carry them, true and false.</summary>
internal static class ValueMessages
{
    public static string Text(int seed, int length)
    {
        var random = new Random(seed);
        return string.Create(length, random, (span, r) =>
        {
            for (int i = 0; i < span.Length; i++)
            {
                span[i] = (char)('0' + r.Next(64));
            }
        });
    }

    public static ContentManifest Manifest(string value) => ContentDigest.Describe(Encoding.UTF8.GetBytes(value));

    /// <summary>The manifest, and the chunks that another value has not.</summary>
    public static List<byte[]> Parts(string value, string? before = null)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(value);
        ContentManifest manifest = ContentDigest.Describe(bytes);
        HashSet<Digest256> held = before is null ? [] : [.. Manifest(before).Chunks.Select(c => c.Leaf)];
        byte[] buffer = new byte[200_000];
        List<byte[]> parts = [buffer[..StreamedValue.WriteManifest(buffer, manifest.Digest, manifest.Encode())]];
        for (int i = 0; i < manifest.Chunks.Length; i++)
        {
            ContentChunk chunk = manifest.Chunks[i];
            if (!held.Contains(chunk.Leaf))
            {
                parts.Add(buffer[..StreamedValue.WriteChunk(buffer, manifest.Digest, i, bytes.AsSpan(chunk.Offset, chunk.Length))]);
            }
        }

        return parts;
    }

    /// <summary>
    /// A manifest with the digest of the value and other lengths: the digest covers the hashes, and the sum of the lengths.
    /// </summary>
    public static byte[] FalseManifest(string value)
    {
        byte[] encoded = Manifest(value).Encode();
        // A byte moves from the first chunk to the second.
        encoded[9]--;
        encoded[9 + 4 + Digest256.Size]++;
        Assert.True(ContentManifest.TryRead(encoded, out ContentManifest? forged));
        Assert.Equal(Manifest(value).Digest, forged.Digest);
        byte[] message = new byte[encoded.Length + StreamedValue.OverheadBytes];
        return message[..StreamedValue.WriteManifest(message, forged.Digest, encoded)];
    }
}
