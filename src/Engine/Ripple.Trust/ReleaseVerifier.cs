using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>
/// Verifies release signatures against signers certified by the cluster's authority. Thread-safe. Each call takes 62 us: verify each id
/// once per process, and not on the core thread.
/// </summary>
public sealed class ReleaseVerifier : IDisposable
{
    /// <summary>Maximum number of signers. A host adds one per year, so a cluster stays far below it.</summary>
    public const int SignersMax = 1_024;

    private readonly AuthorityTrust _trust;
    private readonly ConcurrentDictionary<ulong, ECDsa> _signers = new();

    /// <param name="trust">The cluster's authority.</param>
    public ReleaseVerifier(AuthorityTrust trust)
    {
        ArgumentNullException.ThrowIfNull(trust);
        _trust = trust;
    }

    /// <summary>
    /// Adds a signer's certificate from any source: it is accepted only if the authority issued it for signing. Adding it again has no
    /// effect.
    /// </summary>
    /// <returns>False if it is not such a certificate, or <see cref="SignersMax"/> is reached.</returns>
    public bool TryAdd(ReadOnlySpan<byte> certificateDer, out ulong signerId)
    {
        signerId = 0;
        try
        {
            using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(certificateDer);
            if (_trust.Judge(certificate, CertificateUse.Signing, DateTimeOffset.MinValue, out _) != TrustVerdict.Trusted
                || certificate.GetECDsaPublicKey() is not { } key)
            {
                return false;
            }

            signerId = ReleaseSigner.IdOf(certificate);
            if (_signers.Count >= SignersMax || !_signers.TryAdd(signerId, key))
            {
                key.Dispose();
            }

            return _signers.ContainsKey(signerId);
        }
        catch (CryptographicException)
        {
            return false;
        }
    }

    /// <summary>Verifies one signature. Never throws on untrusted input.</summary>
    /// <param name="signerId">The claimed signer.</param>
    /// <param name="clusterId">The cluster.</param>
    /// <param name="releaseId">20 bytes.</param>
    /// <param name="signature">64 bytes; any other length is <see cref="SignatureStatus.Wrong"/>.</param>
    public SignatureStatus Verify(ulong signerId, Id128 clusterId, ReadOnlySpan<byte> releaseId, ReadOnlySpan<byte> signature)
    {
        if (!_signers.TryGetValue(signerId, out ECDsa? key))
        {
            return SignatureStatus.UnknownSigner;
        }

        if (signature.Length != ReleaseSigner.SignatureBytes)
        {
            return SignatureStatus.Wrong;
        }

        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        ReleaseSigner.Hash(clusterId, releaseId, hash);
        // The platform does not guarantee that one key object can be used by several threads at once.
        lock (key)
        {
            return key.VerifyHash(hash, signature, DSASignatureFormat.IeeeP1363FixedFieldConcatenation)
                ? SignatureStatus.Verified
                : SignatureStatus.Wrong;
        }
    }

    /// <summary>Disposes of the signers' keys.</summary>
    public void Dispose()
    {
        foreach (ECDsa key in _signers.Values)
        {
            key.Dispose();
        }

        _signers.Clear();
    }
}
