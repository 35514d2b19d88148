using System.Text;
using Ripple.Trust;

namespace Ripple.Transports.Links;

/// <summary>
/// The body of a refusal or a goodbye: u8 code, then human-readable UTF-8 text to the end. Where a host says who leads its cluster, the
/// text ends with a unit separator (U+001F) and that host's endpoint: who does not know of it shows it as text.
/// </summary>
/// <param name="Code">What it means for the other side.</param>
/// <param name="Text">Human-readable.</param>
/// <param name="Leader">Where the leader of the cluster is, for whoever asked another host; null if that is not told.</param>
internal readonly record struct LinkRefusal(LinkRefusalCode Code, string Text, HostEndpoint? Leader = null)
{
    /// <summary>The most bytes of text, the leader's endpoint included; longer text is truncated.</summary>
    public const int TextBytesMax = 512;

    private const char Separator = '\u001F';

    /// <summary>Encodes the body.</summary>
    public byte[] ToBytes()
    {
        byte[] text = Encoding.UTF8.GetBytes(Text);
        byte[] leader = Leader is { } endpoint ? Encoding.UTF8.GetBytes($"{Separator}{endpoint}") : [];
        int length = Math.Min(text.Length, TextBytesMax - leader.Length);
        byte[] body = new byte[1 + length + leader.Length];
        body[0] = (byte)Code;
        text.AsSpan(0, length).CopyTo(body.AsSpan(1));
        leader.CopyTo(body.AsSpan(1 + length));
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

        string text = Encoding.UTF8.GetString(body[1..]);
        HostEndpoint? leader = null;
        if (text.LastIndexOf(Separator) is var at and >= 0 && HostEndpoint.TryParse(text[(at + 1)..], out HostEndpoint endpoint, out _))
        {
            leader = endpoint;
            text = text[..at];
        }

        // The other side's text goes into logs: it must not add lines to them.
        refusal = new(
            (LinkRefusalCode)body[0],
            string.Create(text.Length, text, static (to, from) =>
            {
                for (int i = 0; i < from.Length; i++)
                {
                    to[i] = char.IsControl(from[i]) ? ' ' : from[i];
                }
            }),
            leader);
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

    /// <summary>
    /// Another host leads the cluster: ask there. Who does not know the code takes it for <see cref="Busy"/> and tries its other hosts.
    /// </summary>
    NotLeader = 6,
}
