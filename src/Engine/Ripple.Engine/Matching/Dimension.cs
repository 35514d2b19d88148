using System.Globalization;

namespace Ripple.Engine.Matching;

/// <summary>An attribute that every event of a space has: its name, its kind, and the half-open range of its values. Immutable.</summary>
internal sealed record Dimension
{
    /// <summary>The most characters of a name.</summary>
    public const int NameCharsMax = 100;

    private Dimension(string name, AttributeValue from, AttributeValue to, string unit)
    {
        Name = name;
        From = from;
        To = to;
        Unit = unit;
    }

    public string Name { get; }

    public AttributeKind Kind => From.Kind;

    /// <summary>The lowest value.</summary>
    public AttributeValue From { get; }

    /// <summary>The lowest value that is too high.</summary>
    public AttributeValue To { get; }

    /// <summary>The unit of the values, for people; empty for none.</summary>
    public string Unit { get; }

    /// <summary>A dimension of real numbers.</summary>
    public static Dimension Real(string name, double from, double to, string unit = "") =>
        new(name, AttributeValue.Real(from), AttributeValue.Real(to), unit);

    /// <summary>A dimension of whole numbers.</summary>
    public static Dimension Integer(string name, long from, long to, string unit = "") =>
        new(name, AttributeValue.Integer(from), AttributeValue.Integer(to), unit);

    /// <summary>A dimension of times, in nanoseconds since 1970 UTC.</summary>
    public static Dimension Time(string name, long fromUnixNs, long toUnixNs) =>
        new(name, AttributeValue.Time(fromUnixNs), AttributeValue.Time(toUnixNs), "ns since 1970");

    /// <summary>The range as people write it: <c>[0, 130) km/h</c>.</summary>
    public override string ToString() => Unit.Length == 0 ? $"[{From}, {To})" : $"[{From}, {To}) {Unit}";

    /// <summary>Null when it may be in a space, otherwise the error and what to do about it.</summary>
    internal string? Check()
    {
        if (string.IsNullOrEmpty(Name) || Name.Length > NameCharsMax)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"A dimension's name has {Name?.Length ?? 0} characters. Give it 1 to {NameCharsMax}.");
        }

        if (Kind == AttributeKind.Real
            && !(double.IsFinite(AttributeValue.RealOf(From.Key)) && double.IsFinite(AttributeValue.RealOf(To.Key))))
        {
            return $"The range of dimension '{Name}' is {this}. Give two finite numbers.";
        }

        if (From.Key >= To.Key)
        {
            return $"The range of dimension '{Name}' is {this}, which is empty. Give an end above the beginning.";
        }

        return Kind != AttributeKind.Real || BucketScale.IsRepresentable(From.Key, To.Key)
            ? null
            : $"The range of dimension '{Name}' is {this}, whose width is no usable number of double precision. Give a narrower range if "
                + "it is beyond 1e300, and another unit if it is below 1e-300.";
    }
}
