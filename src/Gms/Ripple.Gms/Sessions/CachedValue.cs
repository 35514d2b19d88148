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

    /// <summary>Computes the manifest of a large value, which hashes all of it: not for the core thread.</summary>
    public CachedValue(ReadOnlyMemory<byte> value)
    {
        Value = value;
        if (value.Length > WholeBytesMax)
        {
            Manifest = ContentDigest.Describe(value.Span);
            EncodedManifest = Manifest.Encode();
        }
    }

    public ReadOnlyMemory<byte> Value { get; }

    /// <summary>Its chunks; null for a value that is sent whole.</summary>
    public ContentManifest? Manifest { get; }

    public ReadOnlyMemory<byte> EncodedManifest { get; }

    /// <summary>Its approximate memory, including the manifest.</summary>
    public int Bytes => ObjectBytes + Value.Length + EncodedManifest.Length + ((Manifest?.Chunks.Length ?? 0) * ChunkBytes);
}
