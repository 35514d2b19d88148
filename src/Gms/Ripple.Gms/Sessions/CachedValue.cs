using Ripple.Engine.Releases;

namespace Ripple.Gms.Sessions;

/// <summary>A value in memory. Immutable.</summary>
internal sealed class CachedValue
{
    /// <summary>Values up to this size are sent whole.</summary>
    public const int WholeBytesMax = 64 * 1_024;

    /// <summary>The object, its arrays' heads, its place by digest and by use, about.</summary>
    private const int ObjectBytes = 512;

    /// <summary>A chunk in a manifest: digest, offset, length, and the array's share.</summary>
    private const int ChunkBytes = 48;

    /// <summary>Describes a large value: hashes all of it, which is not for the core.</summary>
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

    /// <summary>What it takes, with its manifest.</summary>
    public int Bytes => ObjectBytes + Value.Length + EncodedManifest.Length + ((Manifest?.Chunks.Length ?? 0) * ChunkBytes);
}
