using System.Buffers.Binary;
using System.Net.Security;
using Ripple.Engine.Links;

namespace Ripple.Transports.Links;

/// <summary>
/// Single frames before a link is open: enrollment and admission. Reads exactly one frame, so that the link starts with the next byte.
/// </summary>
internal static class LinkFrames
{
    /// <summary>The longest body before the other side is admitted, in bytes: certificates, not releases.</summary>
    public const int EarlyBodyBytesMax = 8_192;

    /// <summary>Reads one frame.</summary>
    /// <exception cref="EndOfStreamException">The other side closed the connection before or within the frame.</exception>
    /// <exception cref="InvalidDataException">Its body is longer than <see cref="EarlyBodyBytesMax"/>, or the length is too short for a
    /// type.</exception>
    /// <exception cref="IOException">The connection broke.</exception>
    public static async Task<(ushort Type, byte[] Body)> ReadAsync(Stream stream, CancellationToken cancellationToken)
    {
        byte[] header = new byte[LinkFrame.HeaderBytes];
        await stream.ReadExactlyAsync(header, cancellationToken).ConfigureAwait(false);
        uint rest = BinaryPrimitives.ReadUInt32LittleEndian(header);
        if (rest is < 2 or > EarlyBodyBytesMax + 2)
        {
            throw new InvalidDataException(
                $"The other side sent a frame of {rest} bytes before it was admitted; 2 to {EarlyBodyBytesMax + 2} are possible.");
        }

        byte[] body = new byte[rest - 2];
        await stream.ReadExactlyAsync(body, cancellationToken).ConfigureAwait(false);
        return (BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(4)), body);
    }

    /// <summary>Writes one frame.</summary>
    /// <exception cref="IOException">The connection broke.</exception>
    public static async Task WriteAsync(Stream stream, ushort type, ReadOnlyMemory<byte> body, CancellationToken cancellationToken)
    {
        byte[] frame = new byte[LinkFrame.HeaderBytes + body.Length];
        WriteHeader(frame, type, body.Length);
        body.CopyTo(frame.AsMemory(LinkFrame.HeaderBytes));
        await stream.WriteAsync(frame, cancellationToken).ConfigureAwait(false);
        await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
    }

    internal static void WriteHeader(Span<byte> to, ushort type, int bodyBytes)
    {
        BinaryPrimitives.WriteInt32LittleEndian(to, bodyBytes + 2);
        BinaryPrimitives.WriteUInt16LittleEndian(to[4..], type);
    }
}

/// <summary>The frame types of the link itself (1 to 15). The protocol never sees them.</summary>
internal static class LinkFrameType
{
    /// <summary>From a side without a certificate: an <see cref="EnrollRequest"/>.</summary>
    public const ushort Enroll = 1;

    /// <summary>The answer on success: an <see cref="EnrollGrant"/>.</summary>
    public const ushort Enrolled = 2;

    /// <summary>The answer on refusal: a <see cref="LinkRefusal"/>.</summary>
    public const ushort EnrollRefused = 3;

    /// <summary>
    /// The host's first frame to a side with a certificate: it is admitted. The body is a new certificate for the same key; empty when the
    /// current one has more than a third of its lifetime left.
    /// </summary>
    public const ushort Admitted = 4;

    /// <summary>The last frame of either side: a <see cref="LinkRefusal"/>.</summary>
    public const ushort Goodbye = 5;
}

/// <summary>The control channel's name in the TLS handshake (ALPN), by which a host tells it from HTTP on the same port.</summary>
internal static class LinkProtocol
{
    /// <summary><c>ripple/1</c>.</summary>
    public static readonly SslApplicationProtocol Name = new("ripple/1");
}
