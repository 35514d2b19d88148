using System.Buffers.Binary;
using Ripple.Engine.Streams;

namespace Ripple.Transports.Tests.Streams;

/// <summary>
/// Messages that say their number and are filled with what follows from it: most are small, some take several packets, a few take many. One
/// buffer for all.
/// </summary>
internal sealed class NumberedMessages : IStreamSource
{
    public const int BytesMin = 40;

    private const int BytesMax = 20_000;
    private readonly byte[] _buffer = new byte[BytesMax];
    private int _made;

    /// <summary>How many there are to be made; the stream is told when this grows.</summary>
    public int Limit { get; set; }

    public bool IsExhausted => _made == Limit;

    public static int BytesOf(int number) => number % 1_000 == 999 ? BytesMax : number % 50 == 49 ? 3_000 : BytesMin + (number % 200);

    public bool TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        topic = 7;
        if (IsExhausted)
        {
            message = default;
            return false;
        }

        int number = _made++;
        int bytes = BytesOf(number);
        _buffer.AsSpan(sizeof(int), bytes - sizeof(int)).Fill(FillOf(number));
        BinaryPrimitives.WriteInt32LittleEndian(_buffer, number);
        message = _buffer.AsMemory(0, bytes);
        return true;
    }

    /// <summary>The number of a message; -1 when it is not one of these, byte for byte.</summary>
    public static int NumberOf(ReadOnlySpan<byte> message)
    {
        int number = message.Length < BytesMin ? -1 : BinaryPrimitives.ReadInt32LittleEndian(message);
        return number >= 0 && message.Length == BytesOf(number) && !message[sizeof(int)..].ContainsAnyExcept(FillOf(number)) ? number : -1;
    }

    private static byte FillOf(int number) => (byte)((number * 31) + (number >> 8));
}
