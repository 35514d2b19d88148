using System.Globalization;

namespace Ripple.Engine.Matching;

/// <summary>
/// A value of an attribute, with its kind. It holds a key whose order as a whole number is the order of the values, so that ranges of all
/// kinds are compared in one way. Immutable.
/// </summary>
internal readonly record struct AttributeValue
{
    /// <summary>Up to here every whole number is a real one: 2^53.</summary>
    private const long ExactMax = 1L << 53;

    private AttributeValue(AttributeKind kind, long key)
    {
        Kind = kind;
        Key = key;
    }

    public AttributeKind Kind { get; }

    /// <summary>The value's place in the order of its kind. Of NaN it is above or below those of all numbers.</summary>
    public long Key { get; }

    /// <summary>A real number. Both zeros are one value; NaN and infinity are refused where the value is used.</summary>
    // The sum turns -0 into 0.
    public static AttributeValue Real(double value) => new(AttributeKind.Real, Flip(BitConverter.DoubleToInt64Bits(value + 0.0)));

    /// <summary>A whole number.</summary>
    public static AttributeValue Integer(long value) => new(AttributeKind.Integer, value);

    /// <summary>A point in time, in nanoseconds since 1970 UTC.</summary>
    public static AttributeValue Time(long unixNs) => new(AttributeKind.Time, unixNs);

    /// <summary>The value with a key of a kind, whatever it was made of: both zeros are one, as ever.</summary>
    internal static AttributeValue OfKey(AttributeKind kind, long key) =>
        kind == AttributeKind.Real ? Real(RealOf(key)) : new AttributeValue(kind, key);

    /// <summary>The same number as a value of a kind, where there is exactly that; else the value as it is.</summary>
    internal AttributeValue As(AttributeKind kind) =>
        kind == AttributeKind.Real && Kind == AttributeKind.Integer && Key is >= -ExactMax and <= ExactMax ? Real(Key) : this;

    /// <summary>The number as people write it.</summary>
    public override string ToString() => Kind == AttributeKind.Real
        ? RealOf(Key).ToString("R", CultureInfo.InvariantCulture)
        : Key.ToString(CultureInfo.InvariantCulture);

    /// <summary>The real number of a key.</summary>
    internal static double RealOf(long key) => BitConverter.Int64BitsToDouble(Flip(key));

    /// <summary>The bits of negative numbers grow with their distance from 0: turned around, they are in order. Its own inverse.</summary>
    private static long Flip(long bits) => bits ^ ((bits >> 63) & long.MaxValue);
}

/// <summary>What the values of a dimension are.</summary>
internal enum AttributeKind
{
    /// <summary>Finite numbers of double precision.</summary>
    Real,

    /// <summary>Whole numbers of 64 bits.</summary>
    Integer,

    /// <summary>Nanoseconds since 1970 UTC.</summary>
    Time,
}

/// <summary>A value of an event.</summary>
/// <param name="Name">The dimension.</param>
/// <param name="Value">The value, of the dimension's kind.</param>
internal readonly record struct NamedValue(string Name, AttributeValue Value);

/// <summary>A half-open range of a box.</summary>
/// <param name="Name">The dimension.</param>
/// <param name="From">The lowest value that is in the range, of the dimension's kind.</param>
/// <param name="To">The lowest value above the range, of the dimension's kind.</param>
internal readonly record struct NamedRange(string Name, AttributeValue From, AttributeValue To);
