using System.Buffers.Binary;
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
