using System.Buffers;

namespace Ripple.Gms.Endpoint;

/// <summary>Tells whether the first bytes of a connection are a whole ClientHello of TLS. Looks at lengths only.</summary>
internal static class ClientHello
{
    /// <summary>The longest one waited for: they have some hundred bytes, with keys against quantum computers two thousand.</summary>
    public const int BytesMax = 16 * 1_024;

    private const byte HandshakeRecord = 22;
    private const byte Tls = 3;
    private const byte ClientHelloMessage = 1;
    private const int RecordHeaderBytes = 5;
    private const int MessageHeaderBytes = 4;

    /// <summary>True if it is there as a whole, false if it is not one, null if more bytes are needed.</summary>
    public static bool? IsWhole(ReadOnlySequence<byte> bytes)
    {
        var reader = new SequenceReader<byte>(bytes);
        long messageBytes = 0;
        long needed = MessageHeaderBytes;
        Span<byte> header = stackalloc byte[MessageHeaderBytes];
        while (messageBytes < needed)
        {
            if (needed > BytesMax || (reader.TryPeek(out byte type) && type != HandshakeRecord))
            {
                return false;
            }

            if (reader.Remaining < RecordHeaderBytes)
            {
                return null;
            }

            reader.Advance(1);
            reader.TryRead(out byte major);
            reader.Advance(1);
            reader.TryReadBigEndian(out short signed);
            int length = (ushort)signed;
            if (major != Tls || length == 0 || length > BytesMax)
            {
                return false;
            }

            // The header of the message may be cut by records, though nobody does so.
            for (; messageBytes < MessageHeaderBytes && length > 0; messageBytes++, length--)
            {
                if (!reader.TryRead(out header[(int)messageBytes]))
                {
                    return null;
                }
            }

            if (messageBytes == MessageHeaderBytes && needed == MessageHeaderBytes)
            {
                if (header[0] != ClientHelloMessage)
                {
                    return false;
                }

                needed += (header[1] << 16) | (header[2] << 8) | header[3];
            }

            if (reader.Remaining < length)
            {
                return needed > BytesMax ? false : null;
            }

            reader.Advance(length);
            messageBytes += length;
        }

        return true;
    }
}
