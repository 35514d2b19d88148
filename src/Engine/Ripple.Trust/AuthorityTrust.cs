using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>
/// The public half of a cluster's authority. Judges certificates by this authority alone: never by the machine's trust store, and without
/// downloads. Immutable and thread-safe.
/// </summary>
public sealed class AuthorityTrust
{
    internal const string SubjectPrefix = "CN=Ripple cluster ";
    private readonly X509Certificate2 _authority;

    private AuthorityTrust(X509Certificate2 authority, Id128 clusterId)
    {
        _authority = authority;
        ClusterId = clusterId;
        Fingerprint = SHA256.HashData(authority.RawData);
    }

    /// <summary>The cluster.</summary>
    public Id128 ClusterId { get; }

    /// <summary>SHA-256 of <see cref="Der"/>, 32 bytes: the value pinned by connection strings.</summary>
    public ReadOnlyMemory<byte> Fingerprint { get; }

    /// <summary>The authority's certificate.</summary>
    public ReadOnlyMemory<byte> Der => _authority.RawDataMemory;

    /// <summary>
    /// Accepts an authority's certificate as given. The caller must have it from a trusted source, or compare the fingerprint.
    /// </summary>
    /// <returns>Null if it is not a self-signed Ripple authority.</returns>
    public static AuthorityTrust? FromDer(ReadOnlySpan<byte> der)
    {
        try
        {
            X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(der);
            return certificate.Subject.StartsWith(SubjectPrefix, StringComparison.Ordinal)
                && certificate.Issuer == certificate.Subject
                && Id128.TryParse(certificate.Subject.AsSpan(SubjectPrefix.Length), out Id128 clusterId)
                    ? new(certificate, clusterId)
                    : null;
        }
        catch (CryptographicException)
        {
            return null;
        }
    }

    /// <summary>
    /// The authority embedded in a host's certificate, if it is the pinned one; otherwise null. Does not judge the host's certificate
    /// itself.
    /// </summary>
    /// <param name="hostCertificate">The certificate shown in the TLS handshake.</param>
    /// <param name="fingerprint">SHA-256 from the connection string.</param>
    public static AuthorityTrust? FromPinned(X509Certificate2 hostCertificate, ReadOnlySpan<byte> fingerprint)
    {
        ArgumentNullException.ThrowIfNull(hostCertificate);
        byte[]? der = AuthorityExtension.Read(hostCertificate);
        return der is not null && CryptographicOperations.FixedTimeEquals(SHA256.HashData(der), fingerprint) ? FromDer(der) : null;
    }

    /// <summary>Judges a certificate. Never throws on untrusted input. Takes about a millisecond.</summary>
    /// <param name="certificate">The certificate shown by the peer.</param>
    /// <param name="use">The intended use.</param>
    /// <param name="now">The time to judge by; ignored for <see cref="CertificateUse.Signing"/>.</param>
    /// <param name="identity">The certificate's identity; null unless the verdict is trusted or out of time.</param>
    public TrustVerdict Judge(X509Certificate2 certificate, CertificateUse use, DateTimeOffset now, out CertificateIdentity? identity)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        identity = null;
        // The chain is built as of a time when the certificate was valid. Validity is checked separately, so that an expired certificate
        // (renew) can be told from a hostile one.
        if (!IsIssuedFor(certificate, use))
        {
            return TrustVerdict.WrongAuthority;
        }

        if (IdentityReader.Read(certificate, out CertificateIdentity? found) != IdentityStatus.Ok
            || found!.ClusterId != ClusterId
            || !Fits(found, use))
        {
            return TrustVerdict.WrongIdentity;
        }

        identity = found;
        bool isInTime = use == CertificateUse.Signing || (now >= certificate.NotBefore && now <= certificate.NotAfter);
        return isInTime ? TrustVerdict.Trusted : TrustVerdict.OutOfTime;
    }

    private static bool Fits(CertificateIdentity identity, CertificateUse use) => use switch
    {
        CertificateUse.Server => identity is HostIdentity,
        CertificateUse.Client => identity is HostIdentity or NodeIdentity,
        _ => identity is SignerIdentity,
    };

    private bool IsIssuedFor(X509Certificate2 certificate, CertificateUse use)
    {
        try
        {
            using var chain = new X509Chain();
            chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            chain.ChainPolicy.CustomTrustStore.Add(_authority);
            chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
            chain.ChainPolicy.DisableCertificateDownloads = true;
            chain.ChainPolicy.VerificationTimeIgnored = false;
            chain.ChainPolicy.VerificationTime = certificate.NotBefore.AddSeconds(1);
            chain.ChainPolicy.ApplicationPolicy.Add(new Oid(CertificateMaker.UsageOid(use)));
            // Exactly two elements: the authority issues leaves directly, and a root alone is not an identity.
            return chain.Build(certificate) && chain.ChainElements.Count == 2;
        }
        catch (CryptographicException)
        {
            return false;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }
}
