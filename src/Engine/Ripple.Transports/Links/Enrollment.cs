using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
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

/// <summary>
/// The request of a node without a certificate: u8 version, then four fields, each preceded by a u16 length: token, public key,
/// application, name.
/// </summary>
/// <param name="Token">The whole token, secret included.</param>
/// <param name="PublicKey">The node's new public key, DER (subject public key info).</param>
/// <param name="Application">The application the node belongs to; empty to let the token decide.</param>
/// <param name="Name">The node's display name.</param>
internal sealed record EnrollRequest(string Token, ReadOnlyMemory<byte> PublicKey, string Application, string Name)
{
    private const byte Version = 1;

    /// <summary>Encodes the body of an enroll frame.</summary>
    public byte[] ToBytes()
    {
        var body = new MemoryStream();
        body.WriteByte(Version);
        LinkFields.Write(body, Encoding.UTF8.GetBytes(Token));
        LinkFields.Write(body, PublicKey.Span);
        LinkFields.Write(body, Encoding.UTF8.GetBytes(Application));
        LinkFields.Write(body, Encoding.UTF8.GetBytes(Name));
        return body.ToArray();
    }

    /// <summary>Decodes a body; null when it has another version or format. The fields are not validated.</summary>
    public static EnrollRequest? Read(ReadOnlySpan<byte> body)
    {
        if (body.Length == 0 || body[0] != Version)
        {
            return null;
        }

        ReadOnlySpan<byte> rest = body[1..];
        return LinkFields.TryRead(ref rest, out ReadOnlySpan<byte> token) && LinkFields.TryRead(ref rest, out ReadOnlySpan<byte> key)
            && LinkFields.TryRead(ref rest, out ReadOnlySpan<byte> application) && LinkFields.TryRead(ref rest, out ReadOnlySpan<byte> name)
            && rest.IsEmpty
                ? new(Encoding.UTF8.GetString(token), key.ToArray(), Encoding.UTF8.GetString(application), Encoding.UTF8.GetString(name))
                : null;
    }

    /// <summary>Contains no secret.</summary>
    public override string ToString() => $"enrolment of '{Name}' for '{Application}'";
}

/// <summary>
/// The answer to an enrolled node: u8 version, certificate and authority each preceded by a u16 length, cluster id, node id.
/// </summary>
/// <param name="Certificate">The node's certificate, DER.</param>
/// <param name="Authority">The authority's certificate, DER; the node compares it with the pinned one.</param>
/// <param name="ClusterId">The cluster.</param>
/// <param name="NodeId">The node's id, assigned by the host.</param>
internal sealed record EnrollGrant(ReadOnlyMemory<byte> Certificate, ReadOnlyMemory<byte> Authority, Id128 ClusterId, Id128 NodeId)
{
    private const byte Version = 1;

    /// <summary>Encodes the body of the frame that answers an enrollment.</summary>
    public byte[] ToBytes()
    {
        var body = new MemoryStream();
        body.WriteByte(Version);
        LinkFields.Write(body, Certificate.Span);
        LinkFields.Write(body, Authority.Span);
        Span<byte> ids = stackalloc byte[2 * Id128.Bytes];
        ClusterId.Write(ids);
        NodeId.Write(ids[Id128.Bytes..]);
        body.Write(ids);
        return body.ToArray();
    }

    /// <summary>Decodes a body; null when it has another version or format.</summary>
    public static EnrollGrant? Read(ReadOnlySpan<byte> body)
    {
        if (body.Length == 0 || body[0] != Version)
        {
            return null;
        }

        ReadOnlySpan<byte> rest = body[1..];
        return LinkFields.TryRead(ref rest, out ReadOnlySpan<byte> certificate)
            && LinkFields.TryRead(ref rest, out ReadOnlySpan<byte> authority)
            && rest.Length == 2 * Id128.Bytes
                ? new(certificate.ToArray(), authority.ToArray(), Id128.Read(rest), Id128.Read(rest[Id128.Bytes..]))
                : null;
    }
}

/// <summary>Fields preceded by a u16 length, little-endian.</summary>
internal static class LinkFields
{
    public static void Write(Stream to, ReadOnlySpan<byte> field)
    {
        Span<byte> length = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(length, checked((ushort)field.Length));
        to.Write(length);
        to.Write(field);
    }

    public static bool TryRead(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> field)
    {
        field = default;
        if (rest.Length < 2)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(rest);
        if (rest.Length < 2 + length)
        {
            return false;
        }

        field = rest.Slice(2, length);
        rest = rest[(2 + length)..];
        return true;
    }
}
