using System.Text;

namespace Ripple.Transports.Links;

/// <summary>The body of a refusal or a goodbye: u8 code, then human-readable UTF-8 text to the end.</summary>
/// <param name="Code">What it means for the other side.</param>
/// <param name="Text">Human-readable.</param>
internal readonly record struct LinkRefusal(LinkRefusalCode Code, string Text)
{
    /// <summary>The most bytes of text; longer text is truncated.</summary>
    public const int TextBytesMax = 512;

    /// <summary>Encodes the body.</summary>
    public byte[] ToBytes()
    {
        byte[] text = Encoding.UTF8.GetBytes(Text);
        int length = Math.Min(text.Length, TextBytesMax);
        byte[] body = new byte[1 + length];
        body[0] = (byte)Code;
        text.AsSpan(0, length).CopyTo(body.AsSpan(1));
        return body;
    }

    /// <summary>Decodes a body. False when it is empty or too long; an unknown code is kept as it is.</summary>
    public static bool TryRead(ReadOnlySpan<byte> body, out LinkRefusal refusal)
    {
        refusal = default;
        if (body.Length is 0 or > TextBytesMax + 1)
        {
            return false;
        }

        // The other side's text goes into logs: it must not add lines to them.
        string text = Encoding.UTF8.GetString(body[1..]);
        refusal = new((LinkRefusalCode)body[0], string.Create(text.Length, text, static (to, from) =>
        {
            for (int i = 0; i < from.Length; i++)
            {
                to[i] = char.IsControl(from[i]) ? ' ' : from[i];
            }
        }));
        return true;
    }
}

/// <summary>Why a side ends a link or refuses an enrollment. The numbers are on the wire.</summary>
internal enum LinkRefusalCode : byte
{
    /// <summary>An orderly end; the text says why.</summary>
    Closed = 0,

    /// <summary>No new links are accepted now: full, starting or stopping. Try later, or another host.</summary>
    Busy = 1,

    /// <summary>Not admitted: a token that is revoked, unknown, or not valid for the application.</summary>
    NotAdmitted = 2,

    /// <summary>The certificate has expired: enroll again.</summary>
    CertificateExpired = 3,

    /// <summary>The certificate is not from this cluster's authority, or contains no identity: enroll again.</summary>
    CertificateUnknown = 4,

    /// <summary>The other side violated the protocol: an unknown link frame, a body too long, a request that cannot be read.</summary>
    Malformed = 5,
}
