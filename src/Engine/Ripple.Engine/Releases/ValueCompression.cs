using System.Buffers;
using System.IO.Compression;

namespace Ripple.Engine.Releases;

/// <summary>
/// Values compressed by Brotli (RFC 7932) in one piece, with a window of at most <see cref="WindowBitsMax"/> bits, so that what a stream
/// makes a reader allocate is bounded by its first byte. Pure; any thread.
/// </summary>
internal static class ValueCompression
{
    /// <summary>The longest value.</summary>
    public const int ValueBytesMax = ValueDelta.ValueBytesMax;

    /// <summary>The most bits of the window: 256 KiB.</summary>
    public const int WindowBitsMax = 18;

    // Beyond it configuration gets hardly smaller, and takes several times as long.
    private const int Quality = 5;

    /// <summary>
    /// Compresses a value; null when that does not take at most <paramref name="bytesMax"/> bytes, or does not make it shorter, or it is
    /// too long.
    /// </summary>
    public static byte[]? TryCompress(ReadOnlySpan<byte> value, int bytesMax)
    {
        int roomMax = Math.Min(bytesMax, value.Length - 1);
        if (value.Length > ValueBytesMax || roomMax <= 0)
        {
            return null;
        }

        byte[] room = ArrayPool<byte>.Shared.Rent(roomMax);
        try
        {
            return BrotliEncoder.TryCompress(value, room.AsSpan(0, roomMax), out int written, Quality, WindowBitsMax)
                ? room.AsSpan(0, written).ToArray()
                : null;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(room);
        }
    }

    /// <summary>
    /// Makes the value again, in room of its length. False for what is no such stream, makes more or less, has bytes behind its end, or a
    /// window that is too large. The room has garbage then.
    /// </summary>
    public static bool TryDecompress(ReadOnlySpan<byte> compressed, Span<byte> value) =>
        TryDecompress(compressed, value, out int length) && length == value.Length;

    /// <summary>
    /// The same for a length that is not known, of at most that of the room. False for what makes more than fits.
    /// </summary>
    public static bool TryDecompress(ReadOnlySpan<byte> compressed, Span<byte> room, out int length)
    {
        length = 0;
        if (compressed.IsEmpty || WindowBitsOf(compressed[0]) is < 10 or > WindowBitsMax)
        {
            return false;
        }

        using var decoder = new BrotliDecoder();
        OperationStatus status = decoder.Decompress(compressed, room, out int consumed, out length);
        // Of a stream that would make more it says that the room is too small.
        return status == OperationStatus.Done && consumed == compressed.Length;
    }

    /// <summary>The bits of the window, by the first byte of a stream (RFC 7932, 9.1); 0 for what is reserved or large.</summary>
    private static int WindowBitsOf(byte first) => (first & 1) == 0 ? 16
        : (first & 0b1110) != 0 ? 17 + ((first >> 1) & 7)
        : (first & 0b1110000) switch
        {
            0 => 17,
            0b0010000 => 0,
            _ => 8 + ((first >> 4) & 7),
        };
}
