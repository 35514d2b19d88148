using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Matching;

namespace Ripple.Engine.Tests.Matching;

/// <summary>
/// A space out of a seed, with boxes and events that like to share borders, and what a naive scan says of them. The scan compares the
/// numbers themselves, and knows nothing of keys and buckets.
/// </summary>
internal sealed class MatchWorld
{
    private static readonly (double From, double To)[] RealRanges =
        [(0, 1_000), (-1, 1), (-1e-3, 2e-3), (-1e300, 1e299), (0, 1e-290), (5, 5.000_000_000_000_01), (-200, -100), (1e15, 1e15 + 7)];

    private static readonly (long From, long To)[] WholeRanges =
        [(0, 1_000), (-3, 4), (7, 8), (long.MinValue, long.MaxValue), (0, long.MaxValue), (-5_000, 100_000), (1L << 60, (1L << 60) + 300)];

    private readonly DeterministicRandom _random;
    private readonly (Number From, Number To)[] _dimensions;
    private readonly List<Number>[] _borders;

    public MatchWorld(ulong seed, int dimensions, int bucketsMax, int boxesMax = 100_000)
    {
        _random = new DeterministicRandom(seed);
        _dimensions = [.. Enumerable.Range(0, dimensions).Select(_ => DrawDimension())];
        _borders = [.. _dimensions.Select(_ => new List<Number>())];
        Space = new AttributeSpace([.. _dimensions.Select((d, i) => d.From.Kind switch
        {
            AttributeKind.Real => Dimension.Real(NameOf(i), d.From.Real, d.To.Real),
            AttributeKind.Integer => Dimension.Integer(NameOf(i), d.From.Whole, d.To.Whole, "items"),
            _ => Dimension.Time(NameOf(i), d.From.Whole, d.To.Whole),
        })]);
        Index = new BoxIndex(Space, new BoxIndexOptions { BucketsMax = bucketsMax, BoxesMax = boxesMax });
        Point = new Point(Space);
    }

    public AttributeSpace Space { get; }

    public BoxIndex Index { get; }

    public Point Point { get; }

    public BoxMatches Matches { get; } = new();

    /// <summary>The boxes that should be there.</summary>
    public List<(BoxId Id, (Number From, Number To)[] Ranges)> Boxes { get; } = [];

    /// <summary>Adds a box; one of ten is like one that is there.</summary>
    public void Add()
    {
        (Number, Number)[] ranges = Boxes.Count > 0 && _random.NextBool(0.1)
            ? Boxes[_random.NextInt32(Boxes.Count)].Ranges
            : [.. Enumerable.Range(0, _dimensions.Length).Select(DrawRange)];
        // A range over the whole dimension is left out; the others come in any order.
        NamedRange[] named =
        [
            .. Enumerable.Range(0, ranges.Length)
                .Where(d => ranges[d] != _dimensions[d])
                .Select(d => new NamedRange(NameOf(d), ranges[d].Item1.Value, ranges[d].Item2.Value))
                .OrderBy(_ => _random.NextUInt64()),
        ];
        Assert.True(Space.TryMakeBox(named, out Box? box, out string reason), reason);
        Assert.True(Index.TryAdd(box, out BoxId id));
        Boxes.Add((id, ranges));
    }

    /// <summary>Removes any box.</summary>
    public void Remove()
    {
        int at = _random.NextInt32(Boxes.Count);
        Assert.True(Index.Remove(Boxes[at].Id));
        Assert.False(Index.Remove(Boxes[at].Id));
        Boxes[at] = Boxes[^1];
        Boxes.RemoveAt(Boxes.Count - 1);
    }

    /// <summary>Draws an event and compares what the index finds with what the scan finds.</summary>
    public void CheckEvent()
    {
        Number[] numbers = [.. Enumerable.Range(0, _dimensions.Length).Select(DrawNumber)];
        NamedValue[] values = [.. numbers.Select((n, d) => new NamedValue(NameOf(d), n.Value)).OrderBy(_ => _random.NextUInt64())];
        Assert.True(Space.TrySetPoint(values, Point, out string reason), reason);
        Index.Match(Point, Matches);

        BoxId[] expected = [.. Boxes.Where(b => Has(b.Ranges, numbers)).Select(b => b.Id).OrderBy(i => i.Index)];
        BoxId[] found = [.. Matches.Indexes.ToArray().Order().Select(Index.IdOf)];
        Assert.Equal(expected, found);
    }

    /// <summary>Adds, removes and matches in turn, until so many boxes were compared with events.</summary>
    public long Run(int boxes, int events)
    {
        long compared = 0;
        for (int i = 0; i < boxes; i++)
        {
            Add();
        }

        for (int i = 0; i < events; i++)
        {
            CheckEvent();
            compared += Boxes.Count;
            for (int changes = _random.NextInt32(4); changes > 0 && Boxes.Count > 0; changes--)
            {
                Remove();
            }

            while (Boxes.Count < boxes && _random.NextBool(0.6))
            {
                Add();
            }
        }

        Assert.Equal(Boxes.Count, Index.Count);
        return compared;
    }

    private static bool Has((Number From, Number To)[] ranges, Number[] numbers)
    {
        for (int d = 0; d < numbers.Length; d++)
        {
            if (numbers[d].IsBelow(ranges[d].From) || !numbers[d].IsBelow(ranges[d].To))
            {
                return false;
            }
        }

        return true;
    }

    private static string NameOf(int dimension) => string.Create(CultureInfo.InvariantCulture, $"d{dimension}");

    private (Number, Number) DrawDimension()
    {
        AttributeKind kind = _random.NextInt32(4) switch { 0 => AttributeKind.Integer, 1 => AttributeKind.Time, _ => AttributeKind.Real };
        (double realFrom, double realTo) = RealRanges[_random.NextInt32(RealRanges.Length)];
        (long from, long to) = WholeRanges[_random.NextInt32(WholeRanges.Length)];
        return kind == AttributeKind.Real
            ? (new Number(kind, realFrom, 0), new Number(kind, realTo, 0))
            : (new Number(kind, 0, from), new Number(kind, 0, to));
    }

    private (Number, Number) DrawRange(int dimension)
    {
        Number a = DrawNumber(dimension);
        Number b = DrawNumber(dimension);
        (Number low, Number high) = a.IsBelow(b) ? (a, b) : (b, a);
        (Number From, Number To) range = _random.NextInt32(10) switch
        {
            0 or 1 => _dimensions[dimension],
            2 => (_dimensions[dimension].From, low.Next()),
            3 => (low, _dimensions[dimension].To),
            4 => (low, low.Next()),
            _ => (low, low.IsBelow(high) ? high : low.Next()),
        };
        _borders[dimension].Add(range.From);
        if (range.To.IsBelow(_dimensions[dimension].To))
        {
            _borders[dimension].Add(range.To);
        }

        return range;
    }

    /// <summary>A value of the dimension: any, or a border, or what is beside one.</summary>
    private Number DrawNumber(int dimension)
    {
        (Number from, Number to) = _dimensions[dimension];
        List<Number> borders = _borders[dimension];
        Number drawn = borders.Count > 0 && _random.NextBool(0.5)
            ? borders[_random.NextInt32(borders.Count)]
            : Number.Between(from, to, _random);
        drawn = _random.NextInt32(6) switch { 0 => drawn.Next(), 1 => drawn.Previous(), _ => drawn };
        return drawn.IsBelow(from) ? from : drawn.IsBelow(to) ? drawn : to.Previous();
    }
}

/// <summary>A number as the scan sees it.</summary>
internal readonly record struct Number(AttributeKind Kind, double Real, long Whole)
{
    public AttributeValue Value => Kind switch
    {
        AttributeKind.Real => AttributeValue.Real(Real),
        AttributeKind.Integer => AttributeValue.Integer(Whole),
        _ => AttributeValue.Time(Whole),
    };

    public static Number Between(Number low, Number high, DeterministicRandom random) => low.Kind == AttributeKind.Real
        ? low with { Real = low.Real + (random.NextDouble() * (high.Real - low.Real)) }
        : low with { Whole = low.Whole + (long)Math.BigMul(random.NextUInt64(), (ulong)high.Whole - (ulong)low.Whole, out _) };

    public bool IsBelow(Number other) => Kind == AttributeKind.Real ? Real < other.Real : Whole < other.Whole;

    public Number Next() => Kind == AttributeKind.Real
        ? this with { Real = Math.BitIncrement(Real) }
        : this with { Whole = Whole == long.MaxValue ? Whole : Whole + 1 };

    public Number Previous() => Kind == AttributeKind.Real
        ? this with { Real = Math.BitDecrement(Real) }
        : this with { Whole = Whole == long.MinValue ? Whole : Whole - 1 };
}
