using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Ripple.Trust;

/// <summary>A certificate and its private key in one PEM file that only its owner can read.</summary>
public static class CertificateFile
{
    /// <summary>Writes both; an existing file is replaced atomically.</summary>
    /// <exception cref="ArgumentException">The certificate has no exportable elliptic-curve key.</exception>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Save(string path, X509Certificate2 certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        using ECDsa key = certificate.GetECDsaPrivateKey()
            ?? throw new ArgumentException("The certificate has no elliptic-curve private key to save.", nameof(certificate));
        OwnerOnlyFile.Write(path, Encoding.ASCII.GetBytes($"{certificate.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}\n"));
    }

    /// <summary>Reads both.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="CryptographicException">The file does not hold a certificate and its key; the message names the file.</exception>
    public static X509Certificate2 Load(string path)
    {
        string pem = File.ReadAllText(path);
        try
        {
            using X509Certificate2 certificate = X509Certificate2.CreateFromPem(pem);
            using ECDsa key = ECDsa.Create();
            key.ImportFromPem(pem);
            return CertificateKey.Join(certificate, key);
        }
        catch (Exception e) when (e is CryptographicException or ArgumentException)
        {
            throw new CryptographicException($"'{path}' does not hold a certificate and its private key in PEM: {e.Message}", e);
        }
    }

    /// <summary>Reads both; null if the file is missing, unreadable or invalid. The node then enrolls again.</summary>
    public static X509Certificate2? TryLoad(string path)
    {
        try
        {
            return Load(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            return null;
        }
    }
}
