using System.Text;

namespace Ripple.Transports.Links;

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
