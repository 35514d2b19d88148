using System.Buffers.Binary;

namespace Ripple.Engine.Releases;

/// <summary>
/// The messages of a host's stream that carry a value whose release says that it follows: its manifest, then chunks. Told from a release by
/// the first byte. Layout: u8 kind, 20 bytes of digest, then the encoded manifest, or u32 index and the chunk.
/// </summary>
internal static class StreamedValue
{
    /// <summary>The bytes of a message besides the manifest or the chunk, at most.</summary>
    public const int OverheadBytes = HeadBytes + IndexBytes;

    // Versions of release messages begin at 1.
    private const byte ManifestKind = 0x40;
    private const byte ChunkKind = 0x41;
    private const int HeadBytes = 1 + Digest160.Size;
    private const int IndexBytes = 4;

    /// <summary>Whether a message carries a part of a value.</summary>
    public static bool IsPart(ReadOnlySpan<byte> message) => message is [ManifestKind or ChunkKind, ..];

    /// <summary>Writes a manifest; returns the bytes written. Throws when the span is shorter.</summary>
    public static int WriteManifest(Span<byte> destination, Digest160 digest, ReadOnlySpan<byte> manifest)
    {
        destination[0] = ManifestKind;
        digest.Write(destination[1..]);
        manifest.CopyTo(destination[HeadBytes..]);
        return HeadBytes + manifest.Length;
    }

    /// <summary>Writes a chunk; returns the bytes written. Throws when the span is shorter.</summary>
    public static int WriteChunk(Span<byte> destination, Digest160 digest, int index, ReadOnlySpan<byte> chunk)
    {
        destination[0] = ChunkKind;
        digest.Write(destination[1..]);
        BinaryPrimitives.WriteInt32LittleEndian(destination[HeadBytes..], index);
        chunk.CopyTo(destination[OverheadBytes..]);
        return OverheadBytes + chunk.Length;
    }

    /// <summary>Reads a part; false when it is malformed. Checks the format only.</summary>
    public static bool TryRead(ReadOnlySpan<byte> message, out ValuePart part)
    {
        part = default;
        if (!IsPart(message) || message.Length < HeadBytes)
        {
            return false;
        }

        var digest = Digest160.Read(message[1..]);
        if (message[0] == ManifestKind)
        {
            part = new ValuePart(digest, ValuePart.Manifest, message[HeadBytes..]);
            return true;
        }

        if (message.Length <= OverheadBytes)
        {
            return false;
        }

        int index = BinaryPrimitives.ReadInt32LittleEndian(message[HeadBytes..]);
        part = new ValuePart(digest, index, message[OverheadBytes..]);
        return index >= 0;
    }
}

/// <summary>A part of a value: its manifest, or one chunk. Unverified.</summary>
/// <param name="digest">The digest of the value.</param>
/// <param name="index">The index of the chunk; <see cref="Manifest"/> for the manifest.</param>
/// <param name="bytes">The encoded manifest, or the chunk.</param>
internal readonly ref struct ValuePart(Digest160 digest, int index, ReadOnlySpan<byte> bytes)
{
    /// <summary>The index that stands for the manifest.</summary>
    public const int Manifest = -1;

    /// <summary>The digest of the value.</summary>
    public Digest160 Digest { get; } = digest;

    /// <summary>The index of the chunk; <see cref="Manifest"/> for the manifest.</summary>
    public int Index { get; } = index;

    /// <summary>The encoded manifest, or the chunk.</summary>
    public ReadOnlySpan<byte> Bytes { get; } = bytes;
}
