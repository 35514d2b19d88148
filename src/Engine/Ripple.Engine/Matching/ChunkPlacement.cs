using System.Numerics;

namespace Ripple.Engine.Matching;

/// <summary>
/// Chooses the chunk for a box. Boxes that are near each other share chunks, so that most chunks have none near an event and are passed
/// over at once. Which dimensions say where a box is are those in which it is narrow: boxes that are narrow in the same dimensions are a
/// group, and a group is cut in halves, dimension after dimension, as it grows. Nothing moves once it is placed.
/// </summary>
internal sealed class ChunkPlacement
{
    /// <summary>A box that takes less than half of a dimension's buckets is narrow in it.</summary>
    private const int NarrowPart = 2;

    /// <summary>Boxes of a group for each of its cells, on average, before it is cut again.</summary>
    private const int CellBoxes = 256;

    /// <summary>The most cuts of a group.</summary>
    private const int DepthMax = 12;

    /// <summary>The free places that the cells of a small index may have.</summary>
    private const int SpareBoxes = BoxChunk.Boxes;

    private readonly int[] _bucketCounts;
    private readonly Dictionary<uint, Group> _groups = [];
    private readonly List<Place> _places = [];
    private readonly List<int> _open = [];
    private readonly int _chunksMax;
    private int _free;

    /// <summary>Creates a placement without a chunk.</summary>
    /// <param name="bucketCounts">The buckets of each dimension.</param>
    /// <param name="boxesMax">The most boxes at a time.</param>
    public ChunkPlacement(int[] bucketCounts, int boxesMax)
    {
        _bucketCounts = bucketCounts;
        _chunksMax = ChunksMax(boxesMax);
    }

    /// <summary>The chunks that there are.</summary>
    public int ChunkCount => _places.Count;

    /// <summary>The most chunks of an index of so many boxes: with the free places that cells may have.</summary>
    public static int ChunksMax(int boxesMax) => (int)((boxesMax + SpareOf(boxesMax) + BoxChunk.Boxes) / BoxChunk.Boxes) + 1;

    /// <summary>Takes a place in a chunk, and gives the chunk's number: the number of chunks before the call for a new one.</summary>
    /// <param name="ranges">The buckets of the box.</param>
    public int Take(ReadOnlySpan<BucketRange> ranges)
    {
        uint narrow = 0;
        for (int d = 0; d < ranges.Length; d++)
        {
            narrow |= (ranges[d].Last - ranges[d].First + 1) * NarrowPart < _bucketCounts[d] ? 1u << d : 0;
        }

        int cell = 1;
        if (_groups.TryGetValue(narrow, out Group? group))
        {
            cell = CellOf(ranges, narrow, group.Depth);
            for (int above = cell; above > 0; above >>= 1)
            {
                if (OpenIn(group.Cells[above]) is >= 0 and int near)
                {
                    return TakeFrom(near);
                }
            }
        }

        if ((_free > SpareOf((_places.Count * BoxChunk.Boxes) - _free) || _places.Count == _chunksMax) && OpenIn(_open) is >= 0 and int any)
        {
            return TakeFrom(any);
        }

        if (group is null)
        {
            _groups.Add(narrow, group = new Group());
        }

        _places.Add(new Place { Group = group, Cell = group.Cells[cell] });
        _free += BoxChunk.Boxes;
        _places[^1].Free = BoxChunk.Boxes;
        List(_places.Count - 1);
        return TakeFrom(_places.Count - 1);
    }

    /// <summary>Gives a place back.</summary>
    public void Free(int chunk)
    {
        Place place = _places[chunk];
        place.Free++;
        place.Group.Count--;
        _free++;
        List(chunk);
    }

    private static long SpareOf(long boxes) => SpareBoxes + (boxes / 2);

    private int TakeFrom(int chunk)
    {
        Place place = _places[chunk];
        place.Free--;
        _free--;
        place.Group.Add();
        return chunk;
    }

    /// <summary>The chunk that was listed last and has a free place; -1 for none. Full ones are taken off here.</summary>
    private int OpenIn(List<int> list)
    {
        while (list.Count > 0)
        {
            int chunk = list[^1];
            Place place = _places[chunk];
            if (place.Free > 0)
            {
                return chunk;
            }

            list.RemoveAt(list.Count - 1);
            place.IsOpen &= list != _open;
            place.IsOpenInCell &= list != place.Cell;
        }

        return -1;
    }

    private void List(int chunk)
    {
        Place place = _places[chunk];
        if (!place.IsOpen)
        {
            _open.Add(chunk);
            place.IsOpen = true;
        }

        if (!place.IsOpenInCell)
        {
            place.Cell.Add(chunk);
            place.IsOpenInCell = true;
        }
    }

    /// <summary>The cell of a box, numbered so that half of it is the cell that it was cut from; 1 is the whole group.</summary>
    private int CellOf(ReadOnlySpan<BucketRange> ranges, uint narrow, int depth)
    {
        int cell = 1;
        uint left = narrow;
        int round = 0;
        for (int i = 0; i < depth && narrow != 0; i++)
        {
            int d = BitOperations.TrailingZeroCount(left);
            long middle = ((long)(ranges[d].First + ranges[d].Last) << DepthMax) / (2 * _bucketCounts[d]);
            cell = (cell << 1) | (int)((middle >> (DepthMax - 1 - round)) & 1);
            left &= left - 1;
            if (left == 0)
            {
                left = narrow;
                round++;
            }
        }

        return cell;
    }

    private sealed class Group
    {
        public List<List<int>> Cells { get; } = [[], []];

        public int Depth { get; private set; }

        public int Count { get; set; }

        public void Add()
        {
            Count++;
            if (Depth < DepthMax && Count >= CellBoxes << (Depth + 1))
            {
                Depth++;
                while (Cells.Count < 2 << Depth)
                {
                    Cells.Add([]);
                }
            }
        }
    }

    private sealed class Place
    {
        public required Group Group { get; init; }

        public required List<int> Cell { get; init; }

        public int Free { get; set; }

        /// <summary>It is in the list of all chunks that may have a free place.</summary>
        public bool IsOpen { get; set; }

        /// <summary>It is in the list of its cell.</summary>
        public bool IsOpenInCell { get; set; }
    }
}
