using Ripple.Engine.Releases;

namespace Ripple.Gms.Sessions;

/// <summary>A value in memory. Immutable.</summary>
internal sealed class CachedValue
{
    /// <summary>Values up to this size are sent whole.</summary>
    public const int WholeBytesMax = 64 * 1_024;

    /// <summary>Approximate overhead: the object, array headers, its entries by digest and by use.</summary>
    private const int ObjectBytes = 512;

    /// <summary>Approximate size of a manifest chunk: digest, offset, length and its share of the array.</summary>
    private const int ChunkBytes = 48;

    private CachedValue(ReadOnlyMemory<byte> value, ContentManifest? manifest)
    {
        Value = value;
        Manifest = manifest;
        EncodedManifest = manifest?.Encode();
    }

    /// <summary>
    /// What was read for a digest; null when it is not that value. A bit that flipped on its way from the disk must not be kept and sent to
    /// all. Hashes the whole value: not for the core thread.
    /// </summary>
    public static CachedValue? TryMake(ReadOnlyMemory<byte> value, Digest160 digest)
    {
        if (value.Length <= WholeBytesMax)
        {
            return ContentDigest.Compute(value.Span) == digest ? new CachedValue(value, null) : null;
        }

        ContentManifest manifest = ContentDigest.Describe(value.Span);
        return manifest.Digest == digest ? new CachedValue(value, manifest) : null;
    }

    public ReadOnlyMemory<byte> Value { get; }

    /// <summary>Its chunks; null for a value that is sent whole.</summary>
    public ContentManifest? Manifest { get; }

    public ReadOnlyMemory<byte> EncodedManifest { get; }

    /// <summary>Its approximate memory, including the manifest.</summary>
    public int Bytes => ObjectBytes + Value.Length + EncodedManifest.Length + ((Manifest?.Chunks.Length ?? 0) * ChunkBytes);
}
