using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

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
