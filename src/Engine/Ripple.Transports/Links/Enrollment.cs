using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Ripple.Engine.Links;
using Ripple.Trust;

namespace Ripple.Transports.Links;

/// <summary>
/// The node's side of enrollment: sends a token and a new public key, and receives a certificate. The private key never leaves the node.
/// </summary>
internal static class Enrollment
{
    /// <param name="connection">A connection without a client certificate.</param>
    /// <param name="endpoint">Used in error messages.</param>
    /// <param name="options">The application, the name and the clock.</param>
    /// <param name="token">The join token.</param>
    /// <param name="cancellationToken">Cancels the enrollment.</param>
    /// <returns>The certificate with its key.</returns>
    /// <exception cref="LinkConnectException">The host refused, or its answer was invalid.</exception>
    public static async Task<X509Certificate2> EnrollAsync(
        TlsClientConnection connection,
        HostEndpoint endpoint,
        LinkConnectorOptions options,
        AccessTokenSecret token,
        CancellationToken cancellationToken)
    {
        using ECDsa key = CertificateKey.New();
        var request = new EnrollRequest(
            token.Reveal(), key.ExportSubjectPublicKeyInfo(), options.Application, options.Name ?? MachineName());
        await LinkFrames.WriteAsync(connection.Stream, LinkFrameType.Enroll, request.ToBytes(), cancellationToken).ConfigureAwait(false);
        (ushort type, byte[] body) = await LinkFrames.ReadAsync(connection.Stream, cancellationToken).ConfigureAwait(false);
        if (type is LinkFrameType.EnrollRefused or LinkFrameType.Goodbye && LinkRefusal.TryRead(body, out LinkRefusal refusal))
        {
            throw LinkConnectException.From(endpoint, $"to enrol '{request.Name}' with the token {token.Id}", refusal);
        }

        EnrollGrant? grant = type == LinkFrameType.Enrolled ? EnrollGrant.Read(body) : null;
        return (grant is null ? null : Join(grant, connection.Trust, key, options))
            ?? throw new LinkConnectException(
                LinkConnectFailure.Untrusted, $"{endpoint} answered the enrolment with something else than a certificate for it.");
    }

    /// <summary>A renewed certificate, with its key; null when it is not a trusted one for the same identity and key.</summary>
    public static X509Certificate2? Renew(X509Certificate2 present, ReadOnlySpan<byte> der, AuthorityTrust trust, DateTimeOffset now)
    {
        try
        {
            using X509Certificate2 renewed = X509CertificateLoader.LoadCertificate(der);
            using ECDsa? key = present.GetECDsaPrivateKey();
            return key is not null
                && trust.Judge(renewed, CertificateUse.Client, now, out CertificateIdentity? after) == TrustVerdict.Trusted
                && IdentityReader.Read(present, out CertificateIdentity? before) == IdentityStatus.Ok && after == before
                && renewed.PublicKey.ExportSubjectPublicKeyInfo().AsSpan().SequenceEqual(present.PublicKey.ExportSubjectPublicKeyInfo())
                    ? CertificateKey.Join(renewed, key)
                    : null;
        }
        catch (CryptographicException)
        {
            return null;
        }
    }

    private static X509Certificate2? Join(EnrollGrant grant, AuthorityTrust trust, ECDsa key, LinkConnectorOptions options)
    {
        try
        {
            using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(grant.Certificate.Span);
            return grant.Authority.Span.SequenceEqual(trust.Der.Span)
                && trust.Judge(
                    certificate, CertificateUse.Client, options.Time.GetUtcNow(), out CertificateIdentity? identity) == TrustVerdict.Trusted
                && identity is NodeIdentity node && node.NodeId == grant.NodeId && node.ClusterId == grant.ClusterId
                && (options.Application.Length == 0 || node.Application == options.Application)
                && certificate.PublicKey.ExportSubjectPublicKeyInfo().AsSpan().SequenceEqual(key.ExportSubjectPublicKeyInfo())
                    ? CertificateKey.Join(certificate, key)
                    : null;
        }
        catch (CryptographicException)
        {
            return null;
        }
    }

    private static string MachineName()
    {
        string name = Environment.MachineName;
        name = name.Length > TrustText.NameLengthMax ? name[..TrustText.NameLengthMax] : name;
        return TrustText.IsName(name) ? name : "node";
    }
}
