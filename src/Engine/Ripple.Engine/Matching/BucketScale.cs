using System.Runtime.CompilerServices;

namespace Ripple.Engine.Matching;

/// <summary>
/// Cuts a dimension into buckets. Only one thing is asked of it: a higher key is in no lower bucket. The edges of boxes and the values of
/// events go through the same arithmetic, so that rounding moves borders of buckets, and never a value over the border of a box. Immutable.
/// </summary>
internal readonly struct BucketScale
{
    private readonly bool _isReal;
    private readonly long _low;
    private readonly long _high;
    private readonly double _lowReal;
    private readonly double _perReal;
    private readonly ulong _perInteger;

    /// <summary>At most so many buckets: fewer for a dimension that has fewer values.</summary>
    public BucketScale(Dimension dimension, int bucketsMax)
    {
        _isReal = dimension.Kind == AttributeKind.Real;
        _low = dimension.From.Key;
        _high = dimension.To.Key;
        Count = bucketsMax;
        if (_isReal)
        {
            _lowReal = AttributeValue.RealOf(_low);
            _perReal = bucketsMax / (AttributeValue.RealOf(_high) - _lowReal);
            return;
        }

        ulong values = unchecked((ulong)_high - (ulong)_low);
        if (values <= (ulong)bucketsMax)
        {
            Count = (int)values;
        }
        else
        {
            // 64 bits behind the point, rounded down: the last value stays below the number of buckets.
            _perInteger = (ulong)(((UInt128)bucketsMax << 64) / values);
        }
    }

    /// <summary>The number of buckets.</summary>
    public int Count { get; }

    /// <summary>The bucket of a key within the dimension.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int BucketOf(long key)
    {
        if (_isReal)
        {
            return Math.Min((int)((AttributeValue.RealOf(key) - _lowReal) * _perReal), Count - 1);
        }

        ulong offset = unchecked((ulong)key - (ulong)_low);
        return _perInteger == 0 ? (int)offset : (int)Math.BigMul(offset, _perInteger, out _);
    }

    /// <summary>The buckets of a range within the dimension.</summary>
    public BucketRange RangeOf(long low, long high)
    {
        // A bucket at an end is covered if what is just outside of the range is in another one.
        int first = BucketOf(low);
        int last = BucketOf(high - 1);
        bool isFirstWhole = low == _low || BucketOf(low - 1) < first;
        bool isLastWhole = high == _high || BucketOf(high) > last;
        return new BucketRange(first, last, isFirstWhole ? first : first + 1, isLastWhole ? last : last - 1);
    }

    /// <summary>Whether the width of a range of real numbers, and its inverse, are numbers that can be reckoned with.</summary>
    internal static bool IsRepresentable(long low, long high)
    {
        double width = AttributeValue.RealOf(high) - AttributeValue.RealOf(low);
        return double.IsFinite(width) && double.IsFinite(BoxIndexOptions.BucketsLimit / width);
    }
}

/// <summary>The buckets of a range: it touches all from the first to the last, and covers some of them wholly.</summary>
/// <param name="First">The first with values of the range.</param>
/// <param name="Last">The last with values of the range.</param>
/// <param name="FirstCovered">The first of which every value is in the range.</param>
/// <param name="LastCovered">The last of which every value is in the range; below the first, there is none.</param>
internal readonly record struct BucketRange(int First, int Last, int FirstCovered, int LastCovered);
