using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>Builds every certificate of a cluster.</summary>
internal static class CertificateMaker
{
    private static readonly TimeSpan Backdate = TimeSpan.FromMinutes(5);

    public static string UsageOid(CertificateUse use) => use switch
    {
        CertificateUse.Server => "1.3.6.1.5.5.7.3.1",
        CertificateUse.Client => "1.3.6.1.5.5.7.3.2",
        _ => "1.3.6.1.5.5.7.3.3",
    };

    public static X509Certificate2 MakeAuthority(ECDsa key, Id128 clusterId, DateTimeOffset now)
    {
        var request = new CertificateRequest($"{AuthorityTrust.SubjectPrefix}{clusterId}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, true, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        return request.Create(
            request.SubjectName, X509SignatureGenerator.CreateForECDsa(key), now - Backdate, now.AddYears(10), NewSerial());
    }

    /// <summary>A certificate for a public key, without the private key.</summary>
    public static X509Certificate2 MakeLeaf(X509Certificate2 authority, PublicKey key, string commonName, LeafForm form, DateTimeOffset now)
    {
        var subject = new X500DistinguishedNameBuilder();
        subject.AddCommonName(commonName);
        var request = new CertificateRequest(subject.Build(), key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
        var usages = new OidCollection();
        foreach (CertificateUse use in form.Uses)
        {
            usages.Add(new Oid(UsageOid(use)));
        }

        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension(usages, false));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(key, false));
        request.CertificateExtensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromCertificate(authority, true, false));
        request.CertificateExtensions.Add(form.Names.Build());
        if (form.BringsAuthority)
        {
            request.CertificateExtensions.Add(AuthorityExtension.Make(authority.RawData));
        }

        // Stay within the authority's validity period, even if the clock was set back.
        DateTimeOffset from = Later(now - Backdate, authority.NotBefore);
        DateTimeOffset to = Earlier(now + form.Lifetime, authority.NotAfter);
        return request.Create(authority, from, to, NewSerial());
    }

    private static DateTimeOffset Later(DateTimeOffset a, DateTimeOffset b) => a > b ? a : b;

    private static DateTimeOffset Earlier(DateTimeOffset a, DateTimeOffset b) => a < b ? a : b;

    /// <summary>16 random bytes with the top bit clear (a positive number) and the next bit set (no leading zero byte to strip).</summary>
    private static byte[] NewSerial()
    {
        byte[] serial = RandomNumberGenerator.GetBytes(16);
        serial[0] = (byte)((serial[0] & 0x7F) | 0x40);
        return serial;
    }

    public readonly record struct LeafForm(
        CertificateUse[] Uses, SubjectAlternativeNameBuilder Names, TimeSpan Lifetime, bool BringsAuthority);
}

/// <summary>
/// The authority's certificate, embedded in a host's certificate. A client knows only the authority's fingerprint, and TLS stacks omit a
/// self-signed root from the chain they send, so the host's certificate carries it in a private extension that other software ignores.
/// </summary>
internal static class AuthorityExtension
{
    // Below the UUID arc, so it cannot collide with another OID.
    private const string Oid = "2.25.100801678982186040587389094830486782266";

    public static X509Extension Make(ReadOnlySpan<byte> authorityDer)
    {
        var writer = new AsnWriter(AsnEncodingRules.DER);
        writer.WriteOctetString(authorityDer);
        return new X509Extension(Oid, writer.Encode(), critical: false);
    }

    /// <summary>The authority's DER; null if the certificate does not contain a readable one.</summary>
    public static byte[]? Read(X509Certificate2 certificate)
    {
        foreach (X509Extension extension in certificate.Extensions)
        {
            if (extension.Oid?.Value == Oid)
            {
                try
                {
                    return AsnDecoder.ReadOctetString(extension.RawData, AsnEncodingRules.DER, out _);
                }
                catch (AsnContentException)
                {
                    return null;
                }
            }
        }

        return null;
    }
}

/// <summary>Certificate keys. Only P-256 is supported.</summary>
internal static class CertificateKey
{
    private const string P256Oid = "1.2.840.10045.3.1.7";

    public static ECDsa New() => ECDsa.Create(ECCurve.NamedCurves.nistP256);

    /// <summary>Reads a public key supplied by another party; null if it is not a P-256 key in DER.</summary>
    public static PublicKey? Read(ReadOnlySpan<byte> subjectPublicKeyInfo)
    {
        try
        {
            using ECDsa key = ECDsa.Create();
            key.ImportSubjectPublicKeyInfo(subjectPublicKeyInfo, out int bytesRead);
            ECCurve curve = key.ExportParameters(false).Curve;
            return bytesRead == subjectPublicKeyInfo.Length && curve.IsNamed && curve.Oid.Value == P256Oid ? new PublicKey(key) : null;
        }
        catch (CryptographicException)
        {
            return null;
        }
    }

    /// <summary>Combines a certificate and its key into one that TLS can use.</summary>
    public static X509Certificate2 Join(X509Certificate2 certificate, ECDsa key)
    {
        X509Certificate2 joined = certificate.CopyWithPrivateKey(key);
        if (!OperatingSystem.IsWindows())
        {
            return joined;
        }

        // Schannel does not accept an ephemeral key: it must have passed through a key container.
        using (joined)
        {
            return X509CertificateLoader.LoadPkcs12(joined.Export(X509ContentType.Pkcs12), null);
        }
    }
}
