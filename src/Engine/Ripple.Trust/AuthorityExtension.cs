using System.Formats.Asn1;
using System.Security.Cryptography.X509Certificates;

namespace Ripple.Trust;

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
