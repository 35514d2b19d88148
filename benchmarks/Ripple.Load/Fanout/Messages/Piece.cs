using System.Buffers.Binary;
using Ripple.Engine.Wire;

namespace Ripple.Load.Fanout.Messages;

/// <summary>
/// What one stream message holds: a message of the benchmark, or one piece of one that is longer than a stream message may be.
/// <c>u64 number in the topic, i64 time of sending, u32 piece, u32 pieces, filler, u32 CRC32C of all before</c>, little-endian.
/// </summary>
internal static class Piece
{
    public const int HeaderBytes = 24;
    public const int ChecksumBytes = 4;
    public const int BytesMin = HeaderBytes + ChecksumBytes + 4;

    /// <summary>The most bytes of a piece: what a stream message may have.</summary>
    public const int BytesMax = WireLimits.MessageBytesMax;

    /// <summary>Into how many pieces a message of so many bytes is cut.</summary>
    public static int CountOf(int messageBytes) => (messageBytes + BytesMax - 1) / BytesMax;

    /// <summary>The bytes of the largest piece; the pieces of a message differ by at most one byte.</summary>
    public static int LargestOf(int messageBytes) => (messageBytes + CountOf(messageBytes) - 1) / CountOf(messageBytes);

    /// <summary>The bytes of one piece.</summary>
    public static int BytesOf(int messageBytes, int index)
    {
        int count = CountOf(messageBytes);
        return (messageBytes / count) + (index < messageBytes % count ? 1 : 0);
    }

    public static ulong NumberOf(ReadOnlySpan<byte> piece) => BinaryPrimitives.ReadUInt64LittleEndian(piece);

    /// <summary>When it was sent, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
    public static long SentAtOf(ReadOnlySpan<byte> piece) => BinaryPrimitives.ReadInt64LittleEndian(piece[8..]);

    public static bool IsLast(ReadOnlySpan<byte> piece) =>
        BinaryPrimitives.ReadUInt32LittleEndian(piece[16..]) + 1 == BinaryPrimitives.ReadUInt32LittleEndian(piece[20..]);

    public static void Write(Span<byte> piece, ulong number, long sentAt, int index, int count)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(piece, number);
        BinaryPrimitives.WriteInt64LittleEndian(piece[8..], sentAt);
        BinaryPrimitives.WriteUInt32LittleEndian(piece[16..], (uint)index);
        BinaryPrimitives.WriteUInt32LittleEndian(piece[20..], (uint)count);
        BinaryPrimitives.WriteUInt32LittleEndian(piece[^ChecksumBytes..], Crc32C.Of(piece[..^ChecksumBytes]));
    }

    public static bool IsIntact(ReadOnlySpan<byte> piece) =>
        piece.Length >= BytesMin && Crc32C.Of(piece) == Crc32C.Intact;
}
