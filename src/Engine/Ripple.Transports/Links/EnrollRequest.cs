using System.Text;

namespace Ripple.Transports.Links;

/// <summary>
/// What a node without a certificate asks: u8 version, then four fields, each behind a u16 length: token, public key, application, name.
/// </summary>
/// <param name="Token">The whole token, secret included.</param>
/// <param name="PublicKey">The node's new public key, DER (subject public key info).</param>
/// <param name="Application">The application it belongs to; empty leaves it to the token.</param>
/// <param name="Name">The node's name, for people.</param>
internal sealed record EnrollRequest(string Token, ReadOnlyMemory<byte> PublicKey, string Application, string Name)
{
    private const byte Version = 1;

    /// <summary>Encodes the body of an enrol frame.</summary>
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

    /// <summary>
    /// Decodes a body; null when it is of another version or form. The fields are as the other side wrote them, unchecked.
    /// </summary>
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

    /// <summary>Shows no secret.</summary>
    public override string ToString() => $"enrolment of '{Name}' for '{Application}'";
}
