using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Ripple.Engine.Matching;

/// <summary>
/// Places for 256 boxes. It has a row for each bucket of each dimension: which of its boxes touch the bucket, and which cover it wholly. A
/// row is one cache line, and so are the ranges of a box in four dimensions. Belongs to the index's thread.
/// </summary>
internal sealed class BoxChunk
{
    /// <summary>The boxes of a chunk.</summary>
    public const int Boxes = 256;

    /// <summary>The words of a bitmap of its boxes.</summary>
    public const int Words = Boxes / 64;

    private const int RowWords = 2 * Words;
    private const int LineBytes = RowWords * sizeof(ulong);

    /// <summary>The dimensions of a line of ranges.</summary>
    private const int LineDimensions = 4;

    private readonly ulong[] _lines;
    private readonly int _firstRow;
    private readonly int _firstRange;
    private readonly int _rangeWords;
    private readonly long[] _stamps = new long[Boxes];

    public BoxChunk(int dimensions, int rows)
    {
        // Pinned, because only an array that stays where it is keeps its lines on the borders of cache lines.
        _rangeWords = RangeWordsOf(dimensions);
        _lines = GC.AllocateArray<ulong>(((rows + 1) * RowWords) + (Boxes * _rangeWords), pinned: true);
        long address = Marshal.UnsafeAddrOfPinnedArrayElement(_lines, 0);
        _firstRow = (int)(-address & (LineBytes - 1)) / sizeof(ulong);
        _firstRange = _firstRow + (rows * RowWords);
    }

    /// <summary>Bytes of a chunk of so many dimensions and rows.</summary>
    public static long BytesOf(int dimensions, int rows) =>
        ((rows + 1L) * LineBytes) + ((RangeWordsOf(dimensions) + 1L) * Boxes * sizeof(ulong));

    /// <summary>The dimensions, rounded up to whole lines of ranges: what an event has keys for.</summary>
    public static int KeysOf(int dimensions) => (dimensions + LineDimensions - 1) / LineDimensions * LineDimensions;

    /// <summary>The stamp of the box in a place; 0 for none.</summary>
    public long StampOf(int place) => _stamps[place];

    /// <summary>The range of a box in a dimension, as keys.</summary>
    public (long Low, long High) RangeOf(int dimension, int place)
    {
        int low = LowOf(dimension, place);
        return ((long)_lines[low], (long)_lines[low + LineDimensions]);
    }

    /// <summary>Puts a box into a free place, and gives the place. Its rows are marked by the caller.</summary>
    public int Add(Box box, long stamp)
    {
        int place = Array.IndexOf(_stamps, 0);
        _stamps[place] = stamp;
        int dimensions = box.Lows.Length;
        for (int d = 0; d < KeysOf(dimensions); d++)
        {
            int low = LowOf(d, place);
            _lines[low] = d < dimensions ? (ulong)box.Lows[d] : 0;
            _lines[low + LineDimensions] = d < dimensions ? (ulong)box.Highs[d] : 1;
        }

        return place;
    }

    /// <summary>Frees a place. Its rows are cleared by the caller.</summary>
    public void Remove(int place) => _stamps[place] = 0;

    /// <summary>Writes into the rows of a dimension what a box touches and covers.</summary>
    /// <param name="firstRow">The row of the dimension's first bucket.</param>
    /// <param name="range">The buckets of the box.</param>
    /// <param name="place">The place of the box.</param>
    public void Mark(int firstRow, in BucketRange range, int place)
    {
        int at = _firstRow + (firstRow * RowWords) + (place / 64);
        ulong bit = 1UL << (place % 64);
        for (int bucket = range.First; bucket <= range.Last; bucket++)
        {
            _lines[at + (bucket * RowWords)] |= bit;
        }

        for (int bucket = range.FirstCovered; bucket <= range.LastCovered; bucket++)
        {
            _lines[at + (bucket * RowWords) + Words] |= bit;
        }
    }

    /// <summary>Takes a box out of a row; true if no other box touches the bucket.</summary>
    public bool Clear(int row, int place)
    {
        int at = _firstRow + (row * RowWords);
        ulong keep = ~(1UL << (place % 64));
        _lines[at + (place / 64)] &= keep;
        _lines[at + (place / 64) + Words] &= keep;
        return Vector256.LoadUnsafe(ref _lines[at]) == Vector256<ulong>.Zero;
    }

    /// <summary>The place of a row for <see cref="Touching"/>.</summary>
    public static int RowAt(int row) => row * RowWords;

    /// <summary>Which boxes touch the buckets of an event in all dimensions.</summary>
    /// <param name="rows">The place of the row of the event's bucket in each dimension.</param>
    /// <param name="open">Those of them that do not cover all.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Vector256<ulong> Touching(ReadOnlySpan<int> rows, out Vector256<ulong> open)
    {
        ref ulong first = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_lines), _firstRow);
        Vector256<ulong> touching = Vector256<ulong>.AllBitsSet;
        Vector256<ulong> covering = Vector256<ulong>.AllBitsSet;
        foreach (int at in rows)
        {
            touching &= Vector256.LoadUnsafe(ref first, (nuint)at);
            covering &= Vector256.LoadUnsafe(ref first, (nuint)at + Words);
        }

        open = Vector256.AndNot(touching, covering);
        return touching;
    }

    /// <summary>Whether an event is in a box, by its ranges.</summary>
    /// <param name="place">The place of the box.</param>
    /// <param name="keys">The event's keys, <see cref="KeysOf"/> of them.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Has(int place, ReadOnlySpan<long> keys)
    {
        ref ulong range = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_lines), _firstRange + (place * _rangeWords));
        Vector256<long> isIn = Vector256<long>.AllBitsSet;
        for (int d = 0; d < keys.Length; d += LineDimensions)
        {
            Vector256<long> key = Vector256.LoadUnsafe(in keys[d]);
            isIn &= Vector256.GreaterThanOrEqual(key, Vector256.LoadUnsafe(ref range, (nuint)d * 2).AsInt64());
            isIn &= Vector256.LessThan(key, Vector256.LoadUnsafe(ref range, ((nuint)d * 2) + LineDimensions).AsInt64());
        }

        return isIn == Vector256<long>.AllBitsSet;
    }

    private static int RangeWordsOf(int dimensions) => 2 * KeysOf(dimensions);

    /// <summary>Where the lower end of a range is; the upper one is <see cref="LineDimensions"/> behind it.</summary>
    private int LowOf(int dimension, int place) =>
        _firstRange + (place * _rangeWords) + (dimension / LineDimensions * RowWords) + (dimension % LineDimensions);
}
