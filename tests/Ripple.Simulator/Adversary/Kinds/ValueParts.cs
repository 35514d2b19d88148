using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>
/// A genuine release, header and signature, that says its values follow in the stream; and what follows: manifests of other values,
/// manifests with true hashes and false lengths, and chunks of nothing.
/// </summary>
internal sealed class ValueParts : IForgery
{
    private const int PartBytesMax = 12_000;

    // Of an encoded manifest: what is before the chunks, and one of these.
    private const int HeadBytes = 9;
    private const int ChunkRowBytes = sizeof(uint) + Digest256.Size;

    /// <inheritdoc/>
    public string Name => "value parts";

    /// <inheritdoc/>
    public double Share => 0.7;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held is not { Proof: { } proof } held || attacker.Victim() is null)
        {
            return;
        }

        KeyChange[] large = [.. proof.Signed.Changes.Where(c => c.Length >= ReleaseMessage.StreamedBytesMin)];
        if (large.Length == 0)
        {
            return;
        }

        KeyChange change = large[attacker.Random.NextInt32(large.Length)];
        byte[] release = ReleaseMessage.Encode(proof.Signed, proof.Signature, _ => null, 0, null, null, _ => true);
        ContentManifest manifest = held.Values.TryGetValue(change.Key, out ReadOnlyMemory<byte> value)
            ? ContentDigest.Describe(value.Span)
            : ContentDigest.Describe(new byte[change.Length]);
        byte[] part = attacker.Random.NextBool(0.5)
            ? FalseManifest(attacker.Random, change.Digest, manifest)
            : FalseChunk(attacker.Random, change.Digest, manifest);
        int ahead = 1 + attacker.Random.NextInt32(3);
        if (attacker.Random.NextBool(0.5) && release.Length <= ReleaseForgery.MessageBytesMax)
        {
            StreamForgery.TrySend(attacker, attacker.Victims(), release, ahead++);
        }

        if (part.Length <= PartBytesMax)
        {
            StreamForgery.SendLong(attacker, attacker.Victims(), part, ahead);
        }
    }

    private static byte[] FalseManifest(DeterministicRandom random, Digest160 digest, ContentManifest manifest)
    {
        byte[] encoded = random.NextBool(0.3) ? ContentDigest.Describe(new byte[manifest.TotalBytes]).Encode() : manifest.Encode();
        if (encoded.Length >= HeadBytes + (2 * ChunkRowBytes))
        {
            // The digest covers the hashes and the sum of the lengths: a byte goes from the first chunk to the second.
            Span<byte> first = encoded.AsSpan(HeadBytes);
            Span<byte> second = encoded.AsSpan(HeadBytes + ChunkRowBytes);
            BinaryPrimitives.WriteUInt32LittleEndian(first, BinaryPrimitives.ReadUInt32LittleEndian(first) - 1);
            BinaryPrimitives.WriteUInt32LittleEndian(second, BinaryPrimitives.ReadUInt32LittleEndian(second) + 1);
        }

        byte[] message = new byte[StreamedValue.OverheadBytes + encoded.Length];
        return message[..StreamedValue.WriteManifest(message, digest, encoded)];
    }

    private static byte[] FalseChunk(DeterministicRandom random, Digest160 digest, ContentManifest manifest)
    {
        int index = random.NextInt32(manifest.Chunks.Length + 1);
        byte[] bytes = new byte[index < manifest.Chunks.Length ? manifest.Chunks[index].Length : 1];
        byte[] message = new byte[StreamedValue.OverheadBytes + bytes.Length];
        return message[..StreamedValue.WriteChunk(message, digest, index, bytes)];
    }
}
