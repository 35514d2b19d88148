using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Matching;

namespace Ripple.Load.Matching;

/// <summary>
/// The workload of BlueDove IV: dimensions of 1,000; ranges of 250 whose middles are normal around a hot spot of each dimension, with a
/// deviation of 250, drawn again when they are outside; events anywhere. The same for the same numbers.
/// </summary>
internal sealed class MatchWorkload
{
    /// <summary>The events, which come around again.</summary>
    public const int Events = 20_000;

    private const double Length = 1_000;
    private const double HalfWidth = 125;
    private const double Deviation = 250;
    private const ulong Seed = 7;

    private readonly DeterministicRandom _random = new(Seed);
    private readonly NamedValue[] _values;
    private readonly double[] _points;

    public MatchWorkload(int dimensions)
    {
        Space = new AttributeSpace(
            [.. Enumerable.Range(0, dimensions).Select(d => Dimension.Real(NameOf(d), 0, Length))]);
        _points = new double[Events * dimensions];
        _values = new NamedValue[Events * dimensions];
        for (int i = 0; i < _points.Length; i++)
        {
            _points[i] = _random.NextDouble() * Length;
            _values[i] = new NamedValue(Space.Dimensions[i % dimensions].Name, AttributeValue.Real(_points[i]));
        }
    }

    public AttributeSpace Space { get; }

    private int DimensionCount => Space.Dimensions.Count;

    /// <summary>An event, as it comes in.</summary>
    public ReadOnlySpan<NamedValue> EventAt(int index) => _values.AsSpan(index * DimensionCount, DimensionCount);

    /// <summary>The same as numbers.</summary>
    public ReadOnlySpan<double> PointAt(int index) => _points.AsSpan(index * DimensionCount, DimensionCount);

    /// <summary>New boxes, as ranges one behind the other, one a dimension.</summary>
    public (double Low, double High)[] DrawRanges(int boxes)
    {
        var ranges = new (double, double)[boxes * DimensionCount];
        for (int i = 0; i < ranges.Length; i++)
        {
            double middle = DrawMiddle(Length * ((i % DimensionCount) + 0.5) / DimensionCount);
            ranges[i] = (Math.Max(0, middle - HalfWidth), Math.Min(Length, middle + HalfWidth));
        }

        return ranges;
    }

    /// <summary>The boxes of such ranges.</summary>
    public Box[] MakeBoxes((double Low, double High)[] ranges)
    {
        var boxes = new Box[ranges.Length / DimensionCount];
        var named = new NamedRange[DimensionCount];
        for (int i = 0; i < boxes.Length; i++)
        {
            for (int d = 0; d < named.Length; d++)
            {
                (double low, double high) = ranges[(i * named.Length) + d];
                named[d] = new NamedRange(Space.Dimensions[d].Name, AttributeValue.Real(low), AttributeValue.Real(high));
            }

            boxes[i] = Space.TryMakeBox(named, out Box? box, out string reason) ? box : throw new InvalidOperationException(reason);
        }

        return boxes;
    }

    private static string NameOf(int dimension) => string.Create(CultureInfo.InvariantCulture, $"d{dimension}");

    private double DrawMiddle(double hotSpot)
    {
        while (true)
        {
            // Box and Muller's: two uniform numbers make a normal one.
            double middle = hotSpot
                + (Deviation * Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble()));
            if (middle is >= 0 and < Length)
            {
                return middle;
            }
        }
    }
}
