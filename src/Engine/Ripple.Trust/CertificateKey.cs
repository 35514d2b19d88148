using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

/// <summary>Keys of certificates: P-256, and nothing else.</summary>
internal static class CertificateKey
{
    private const string P256Oid = "1.2.840.10045.3.1.7";

    public static ECDsa New() => ECDsa.Create(ECCurve.NamedCurves.nistP256);

    /// <summary>A public key another made; null when it is not a P-256 key in DER.</summary>
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

    /// <summary>Joins a certificate and its key into one that TLS can use.</summary>
    public static X509Certificate2 Join(X509Certificate2 certificate, ECDsa key)
    {
        X509Certificate2 joined = certificate.CopyWithPrivateKey(key);
        if (!OperatingSystem.IsWindows())
        {
            return joined;
        }

        // Schannel takes no ephemeral key: it must have gone through a key container.
        using (joined)
        {
            return X509CertificateLoader.LoadPkcs12(joined.Export(X509ContentType.Pkcs12), null);
        }
    }
}
