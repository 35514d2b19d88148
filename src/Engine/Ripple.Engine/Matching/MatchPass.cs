using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Ripple.Engine.Matching;

/// <summary>
/// Matches an event with up to 64 chunks at a time, step by step for all of them: rows first, then what they leave open, then the ranges
/// of that, then the result. A step decides nothing by what it has just read, so that the reads of all chunks are under way at once.
/// Belongs to the index's thread.
/// </summary>
internal sealed class MatchPass
{
    /// <summary>The most chunks of a pass: the bits of a word of the mask.</summary>
    public const int ChunksMax = 64;

    // One more than needed of each: a chunk without a box is written, and then written over.
    private readonly int[] _numbers = new int[ChunksMax + 1];
    private readonly ulong[] _touching = new ulong[(ChunksMax + 1) * BoxChunk.Words];
    private readonly ulong[] _open = new ulong[(ChunksMax + 1) * BoxChunk.Words];
    private readonly int[] _compared = new int[(ChunksMax * BoxChunk.Boxes) + SetBits.Slack];

    /// <summary>Bytes of a pass.</summary>
    public static long Bytes =>
        ((ChunksMax + 1) * (sizeof(int) + (2 * BoxChunk.Words * sizeof(ulong))))
        + (((ChunksMax * BoxChunk.Boxes) + SetBits.Slack) * sizeof(int));

    /// <summary>
    /// Writes the indexes of the boxes that an event is in, from <paramref name="count"/> on; gives the number behind the last.
    /// </summary>
    /// <param name="chunks">The chunks, from the first of the mask on.</param>
    /// <param name="near">The mask: the chunks that have a box near the event in every dimension.</param>
    /// <param name="firstIndex">The index of the first chunk's first place.</param>
    /// <param name="rows">The place of the event's row in each dimension, as <see cref="BoxChunk.RowAt"/> says.</param>
    /// <param name="keys">The event's keys.</param>
    /// <param name="indexes">Where to; it has room for all boxes of these chunks, and <see cref="SetBits.Slack"/>.</param>
    /// <param name="count">The number of those written.</param>
    public int Match(
        ReadOnlySpan<BoxChunk> chunks,
        ulong near,
        int firstIndex,
        ReadOnlySpan<int> rows,
        ReadOnlySpan<long> keys,
        Span<int> indexes,
        int count)
    {
        int found = ReadRows(chunks, near, rows);
        Compare(chunks, found, keys);

        ref ulong touching = ref MemoryMarshal.GetArrayDataReference(_touching);
        ref int numbers = ref MemoryMarshal.GetArrayDataReference(_numbers);
        ref int begin = ref MemoryMarshal.GetReference(indexes);
        ref int target = ref Unsafe.Add(ref begin, count);
        Vector512<byte> byteOfBit = SetBits.ByteOfBit;
        for (int i = 0; i < found * BoxChunk.Words; i++)
        {
            int first = firstIndex + (Unsafe.Add(ref numbers, i / BoxChunk.Words) * BoxChunk.Boxes) + (i % BoxChunk.Words * 64);
            target = ref SetBits.Write(ref target, Unsafe.Add(ref touching, i), first, byteOfBit);
        }

        return (int)(Unsafe.ByteOffset(ref begin, ref target) / sizeof(int));
    }

    /// <summary>Keeps what touches and what is open of the chunks that have any; gives their number.</summary>
    private int ReadRows(ReadOnlySpan<BoxChunk> chunks, ulong near, ReadOnlySpan<int> rows)
    {
        ref int numbers = ref MemoryMarshal.GetArrayDataReference(_numbers);
        ref ulong touching = ref MemoryMarshal.GetArrayDataReference(_touching);
        ref ulong open = ref MemoryMarshal.GetArrayDataReference(_open);
        int found = 0;
        for (; near != 0; near &= near - 1)
        {
            int number = BitOperations.TrailingZeroCount(near);
            Vector256<ulong> boxes = chunks[number].Touching(rows, out Vector256<ulong> uncovered);
            Unsafe.Add(ref numbers, found) = number;
            boxes.StoreUnsafe(ref touching, (nuint)(found * BoxChunk.Words));
            uncovered.StoreUnsafe(ref open, (nuint)(found * BoxChunk.Words));
            found += boxes != Vector256<ulong>.Zero ? 1 : 0;
        }

        return found;
    }

    /// <summary>Compares the boxes that are left open with the event, and takes out those that do not have it.</summary>
    private void Compare(ReadOnlySpan<BoxChunk> chunks, int found, ReadOnlySpan<long> keys)
    {
        ref ulong open = ref MemoryMarshal.GetArrayDataReference(_open);
        ref int begin = ref MemoryMarshal.GetArrayDataReference(_compared);
        ref int end = ref begin;
        for (int i = 0; i < found * BoxChunk.Words; i++)
        {
            end = ref SetBits.WriteSparse(ref end, Unsafe.Add(ref open, i), i * 64);
        }

        int count = (int)(Unsafe.ByteOffset(ref begin, ref end) / sizeof(int));
        for (int i = 0; i < count; i++)
        {
            uint at = (uint)Unsafe.Add(ref begin, i);
            bool isIn = chunks[_numbers[at / BoxChunk.Boxes]].Has((int)(at % BoxChunk.Boxes), keys);
            _touching[at / 64] ^= (isIn ? 0UL : 1UL) << (int)(at % 64);
        }
    }
}
