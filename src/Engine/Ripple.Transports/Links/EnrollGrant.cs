using Ripple.Trust;

namespace Ripple.Transports.Links;

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
