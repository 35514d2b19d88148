using Ripple.Engine.Wire;

namespace Ripple.Engine.Releases;

/// <summary>A signature over a release id: the signer and 64 bytes. Immutable.</summary>
/// <param name="SignerId">The first eight bytes of SHA-256 of the signer's public key.</param>
/// <param name="Bytes">The signature in IEEE P1363 form; must not be modified.</param>
internal sealed record ReleaseSignature(ulong SignerId, ReadOnlyMemory<byte> Bytes)
{
    /// <summary>The length of the signature itself.</summary>
    public const int SignatureBytes = 64;

    /// <summary>The length of the encoded form.</summary>
    public const int EncodedBytes = 8 + SignatureBytes;

    /// <summary>Reads the encoded form; null when the length is wrong.</summary>
    public static ReleaseSignature? TryRead(ReadOnlySpan<byte> encoded)
    {
        if (encoded.Length != EncodedBytes)
        {
            return null;
        }

        var reader = new WireReader(encoded);
        return new ReleaseSignature(reader.ReadU64(), reader.ReadRest().ToArray());
    }

    /// <summary>The encoded form.</summary>
    public byte[] Encode()
    {
        byte[] encoded = new byte[EncodedBytes];
        var writer = new WireWriter(encoded);
        writer.WriteU64(SignerId);
        writer.WriteBytes(Bytes.Span);
        return encoded;
    }
}
