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
