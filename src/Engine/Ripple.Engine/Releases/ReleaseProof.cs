using System.Collections.Immutable;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Releases;

/// <summary>
/// The proof of a release: its header, the headers after it up to the newest of its batch, and the signature over that newest header's id.
/// The hash chain covers the rest.
/// </summary>
/// <param name="Chain">From the release's own header to the signed one; never empty.</param>
/// <param name="Signature">The signature over the last header's id.</param>
internal sealed record ReleaseProof(ImmutableArray<ReleaseHeader> Chain, ReleaseSignature Signature)
{
    /// <summary>The release's own header.</summary>
    public ReleaseHeader Header => Chain[0];

    /// <summary>The header that is signed.</summary>
    public ReleaseHeader Signed => Chain[^1];

    /// <summary>True when each header names the one before it.</summary>
    public bool IsChained
    {
        get
        {
            for (int i = 1; i < Chain.Length; i++)
            {
                if (Chain[i].PreviousId != Chain[i - 1].Id || Chain[i].Release != Chain[i - 1].Release + 1)
                {
                    return false;
                }
            }

            return Chain.Length > 0;
        }
    }
}

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
