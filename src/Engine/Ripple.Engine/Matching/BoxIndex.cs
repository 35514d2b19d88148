using System.Numerics;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Matching;

/// <summary>
/// Finds the boxes that an event is in. Boxes come and go between events at the price of the buckets they touch. Belongs to one thread.
/// </summary>
internal sealed class BoxIndex
{
    private const int MaskBits = MatchPass.ChunksMax;

    private readonly BoxIndexOptions _options;
    private readonly BucketScale[] _scales;
    private readonly int[] _firstRows;
    private readonly int _rowCount;
    private readonly BucketRange[] _ranges;
    private readonly int[] _maskAt;
    private readonly int[] _rowAt;
    private readonly ChunkPlacement _placement;
    private readonly MatchPass _pass = new();
    private BoxChunk[] _chunks = new BoxChunk[MaskBits];
    private ulong[] _masks;
    private int _maskWords = 1;
    private long _stamp;

    /// <summary>Creates an empty index.</summary>
    public BoxIndex(AttributeSpace space, BoxIndexOptions options)
    {
        options.Check();
        Space = space;
        _options = options;
        _scales = ScalesOf(space, options);
        _firstRows = new int[_scales.Length];
        _maskAt = new int[_scales.Length];
        _rowAt = new int[_scales.Length];
        _ranges = new BucketRange[_scales.Length];
        for (int d = 0; d < _scales.Length; d++)
        {
            _firstRows[d] = _rowCount;
            _rowCount += _scales[d].Count;
        }

        _masks = new ulong[_rowCount];
        _placement = new ChunkPlacement([.. _scales.Select(s => s.Count)], options.BoxesMax);
    }

    public AttributeSpace Space { get; }

    /// <summary>The boxes that are in it.</summary>
    public int Count { get; private set; }

    /// <summary>The bytes of its bitmaps, ranges, stamps and masks. Removed boxes leave room for others: it does not shrink.</summary>
    public long Bytes =>
        (_placement.ChunkCount * BoxChunk.BytesOf(_scales.Length, _rowCount)) + (_masks.LongLength * sizeof(ulong)) + MatchPass.Bytes;

    /// <summary>Adds the lines of one index of an application, full, with the matches of one caller.</summary>
    public static void AddMemory(MemoryBudget budget, AttributeSpace space, BoxIndexOptions options)
    {
        int rows = ScalesOf(space, options).Sum(s => s.Count);
        int chunks = ChunkPlacement.ChunksMax(options.BoxesMax);
        budget.Add(
            MemoryScope.Application,
            MemoryKind.Retained,
            "matching: chunks of boxes",
            chunks,
            BoxChunk.BytesOf(space.Dimensions.Count, rows));
        budget.Add<ulong>(
            MemoryScope.Application,
            MemoryKind.Retained,
            "matching: masks of chunks",
            (long)rows * (int)BitOperations.RoundUpToPowerOf2((uint)((chunks + MaskBits - 1) / MaskBits)));
        budget.Add(MemoryScope.Application, MemoryKind.Fixed, "matching: chunks of a pass", 1, MatchPass.Bytes);
        budget.Add<int>(MemoryScope.Application, MemoryKind.Retained, "matching: matches of an event", options.BoxesMax + SetBits.Slack);
    }

    /// <summary>Adds a box; false when <see cref="BoxIndexOptions.BoxesMax"/> are there.</summary>
    /// <exception cref="ArgumentException">The box is of another space.</exception>
    public bool TryAdd(Box box, out BoxId id)
    {
        if (box.Space != Space)
        {
            throw new ArgumentException("The box is of another space. Make it with the index's.", nameof(box));
        }

        if (Count == _options.BoxesMax)
        {
            id = default;
            return false;
        }

        for (int d = 0; d < _scales.Length; d++)
        {
            _ranges[d] = _scales[d].RangeOf(box.Lows[d], box.Highs[d]);
        }

        int number = _placement.Take(_ranges);
        BoxChunk chunk = ChunkAt(number);
        int place = chunk.Add(box, ++_stamp);
        ulong bit = 1UL << (number % MaskBits);
        for (int d = 0; d < _scales.Length; d++)
        {
            BucketRange range = _ranges[d];
            chunk.Mark(_firstRows[d], range, place);
            int mask = ((_firstRows[d] + range.First) * _maskWords) + (number / MaskBits);
            for (int bucket = range.First; bucket <= range.Last; bucket++, mask += _maskWords)
            {
                _masks[mask] |= bit;
            }
        }

        Count++;
        id = new BoxId((number * BoxChunk.Boxes) + place, _stamp);
        return true;
    }

    /// <summary>Removes a box; false for one that is not there, because it was removed before.</summary>
    public bool Remove(BoxId id)
    {
        if (id.Stamp == 0 || StampAt(id.Index) != id.Stamp)
        {
            return false;
        }

        int number = id.Index / BoxChunk.Boxes;
        int place = id.Index % BoxChunk.Boxes;
        BoxChunk chunk = _chunks[number];
        ulong keep = ~(1UL << (number % MaskBits));
        for (int d = 0; d < _scales.Length; d++)
        {
            (long low, long high) = chunk.RangeOf(d, place);
            BucketRange range = _scales[d].RangeOf(low, high);
            for (int row = _firstRows[d] + range.First; row <= _firstRows[d] + range.Last; row++)
            {
                if (chunk.Clear(row, place))
                {
                    _masks[(row * _maskWords) + (number / MaskBits)] &= keep;
                }
            }
        }

        chunk.Remove(place);
        _placement.Free(number);
        Count--;
        return true;
    }

    /// <summary>What names the box at an index beyond the next change.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No box is there.</exception>
    public BoxId IdOf(int index)
    {
        long stamp = StampAt(index);
        return stamp != 0
            ? new BoxId(index, stamp)
            : throw new ArgumentOutOfRangeException(nameof(index), index, "No box is there. Ask before the next change of the index.");
    }

    /// <summary>Finds the boxes that an event is in. Allocates nothing unless <paramref name="matches"/> has to grow.</summary>
    /// <exception cref="ArgumentException">The event is of another space, or has no place in it.</exception>
    public void Match(Point point, BoxMatches matches)
    {
        if (point.Space != Space || !point.IsSet)
        {
            throw new ArgumentException("The event has no place in the index's space. Set it with that space first.", nameof(point));
        }

        ReadOnlySpan<long> keys = point.Keys;
        Span<int> indexes = matches.Clear(Count + SetBits.Slack, _options.BoxesMax + SetBits.Slack);
        Span<int> masks = _maskAt;
        Span<int> rows = _rowAt;
        for (int d = 0; d < rows.Length; d++)
        {
            int row = _firstRows[d] + _scales[d].BucketOf(keys[d]);
            masks[d] = row * _maskWords;
            rows[d] = BoxChunk.RowAt(row);
        }

        int count = 0;
        for (int word = 0; word < _maskWords; word++)
        {
            ulong near = ulong.MaxValue;
            foreach (int mask in masks)
            {
                near &= _masks[mask + word];
            }

            int first = word * MaskBits;
            count = _pass.Match(_chunks.AsSpan(first), near, first * BoxChunk.Boxes, rows, keys, indexes, count);
        }

        matches.Set(count);
    }

    private static BucketScale[] ScalesOf(AttributeSpace space, BoxIndexOptions options) =>
        [.. space.Dimensions.Select(d => new BucketScale(d, options.BucketsMax))];

    /// <summary>The stamp of the box at an index; 0 for none.</summary>
    private long StampAt(int index) => (uint)index < (uint)(_placement.ChunkCount * BoxChunk.Boxes)
        ? _chunks[index / BoxChunk.Boxes].StampOf(index % BoxChunk.Boxes)
        : 0;

    private BoxChunk ChunkAt(int number)
    {
        if (number == _chunks.Length)
        {
            Array.Resize(ref _chunks, number * 2);
        }

        if (number == _maskWords * MaskBits)
        {
            WidenMasks();
        }

        return _chunks[number] ??= new BoxChunk(_scales.Length, _rowCount);
    }

    private void WidenMasks()
    {
        ulong[] wider = new ulong[_masks.Length * 2];
        for (int row = 0; row < _rowCount; row++)
        {
            _masks.AsSpan(row * _maskWords, _maskWords).CopyTo(wider.AsSpan(row * _maskWords * 2));
        }

        _masks = wider;
        _maskWords *= 2;
    }
}

/// <summary>The bounds of a <see cref="BoxIndex"/>.</summary>
internal sealed record BoxIndexOptions
{
    /// <summary>The most buckets of a dimension that may be asked for.</summary>
    public const int BucketsLimit = 4_096;

    /// <summary>The most boxes that may be asked for.</summary>
    public const int BoxesLimit = 16_777_216;

    /// <summary>The most boxes at a time. Default 65,536.</summary>
    public int BoxesMax { get; init; } = 65_536;

    /// <summary>
    /// The most buckets of a dimension. More take more memory and time to add a box; fewer leave more to be compared. Default 128.
    /// </summary>
    public int BucketsMax { get; init; } = 128;

    internal void Check()
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(BoxesMax);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(BoxesMax, BoxesLimit);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(BucketsMax);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(BucketsMax, BucketsLimit);
    }
}
