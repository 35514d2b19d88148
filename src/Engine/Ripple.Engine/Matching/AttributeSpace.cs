using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Ripple.Engine.Matching;

/// <summary>
/// The dimensions in which events are points and subscriptions boxes (BlueDove II). Makes both out of named values, and refuses what is not
/// in the space by the name of the dimension. Immutable; for any thread.
/// </summary>
internal sealed class AttributeSpace
{
    /// <summary>The most dimensions.</summary>
    public const int DimensionsMax = 16;

    private readonly Dimension[] _dimensions;
    private readonly long[] _lows;
    private readonly long[] _highs;

    /// <summary>Creates a space.</summary>
    /// <exception cref="ArgumentException"><see cref="Check"/> refuses the dimensions.</exception>
    public AttributeSpace(params IReadOnlyList<Dimension> dimensions)
    {
        if (Check(dimensions) is { } reason)
        {
            throw new ArgumentException(reason, nameof(dimensions));
        }

        _dimensions = [.. dimensions];
        _lows = [.. dimensions.Select(d => d.From.Key)];
        _highs = [.. dimensions.Select(d => d.To.Key)];
    }

    /// <summary>The dimensions, in the order they were given.</summary>
    public IReadOnlyList<Dimension> Dimensions => _dimensions;

    /// <summary>The keys of the lowest values, one a dimension.</summary>
    internal ReadOnlySpan<long> Lows => _lows;

    /// <summary>The keys of the lowest values that are too high, one a dimension.</summary>
    internal ReadOnlySpan<long> Highs => _highs;

    /// <summary>Null when the dimensions make a space, otherwise the error and what to do about it.</summary>
    public static string? Check(IReadOnlyList<Dimension> dimensions)
    {
        if (dimensions.Count is 0 or > DimensionsMax)
        {
            return string.Create(
                CultureInfo.InvariantCulture, $"The space has {dimensions.Count} dimensions. Give it 1 to {DimensionsMax}.");
        }

        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (Dimension dimension in dimensions)
        {
            if (dimension.Check() is { } reason)
            {
                return reason;
            }

            if (!names.Add(dimension.Name))
            {
                return $"Dimension '{dimension.Name}' is there twice. Give each dimension a name of its own.";
            }
        }

        return null;
    }

    /// <summary>
    /// The box of these ranges; a dimension without one is open over its whole range. False for a name that is unknown or there twice, and
    /// for a range that is empty, of another kind, or not within the dimension.
    /// </summary>
    public bool TryMakeBox(ReadOnlySpan<NamedRange> ranges, [NotNullWhen(true)] out Box? box, out string reason)
    {
        long[] lows = [.. _lows];
        long[] highs = [.. _highs];
        uint seen = 0;
        for (int i = 0; i < ranges.Length; i++)
        {
            ref readonly NamedRange range = ref ranges[i];
            int index = IndexOf(range.Name, i);
            if (index < 0 || (seen & (1u << index)) != 0 || !IsWithin(range, index))
            {
                reason = index < 0 || (seen & (1u << index)) != 0
                    ? WhyNotName("box", range.Name, index)
                    : WhyNotRange(range, _dimensions[index]);
                box = null;
                return false;
            }

            seen |= 1u << index;
            lows[index] = range.From.Key;
            highs[index] = range.To.Key;
        }

        box = new Box(this, lows, highs);
        reason = string.Empty;
        return true;
    }

    /// <summary>
    /// Sets a point to the values of an event, without allocating. False for a name that is unknown, there twice or missing, and for a
    /// value that is no finite number, of another kind, or not within the dimension; the point then has no place.
    /// </summary>
    /// <exception cref="ArgumentException">The point is of another space.</exception>
    public bool TrySetPoint(ReadOnlySpan<NamedValue> values, Point point, out string reason)
    {
        if (point.Space != this)
        {
            throw new ArgumentException("The point is of another space. Make it with this one.", nameof(point));
        }

        Span<long> keys = point.Keys;
        point.IsSet = false;
        uint seen = 0;
        for (int i = 0; i < values.Length; i++)
        {
            ref readonly NamedValue value = ref values[i];
            int index = IndexOf(value.Name, i);
            if (index < 0 || (seen & (1u << index)) != 0 || !IsWithin(value.Value, index))
            {
                reason = index < 0 || (seen & (1u << index)) != 0
                    ? WhyNotName("event", value.Name, index)
                    : WhyNotValue(value, _dimensions[index]);
                return false;
            }

            seen |= 1u << index;
            keys[index] = value.Value.Key;
        }

        if (values.Length < _dimensions.Length)
        {
            reason = WhyMissing(seen);
            return false;
        }

        point.IsSet = true;
        reason = string.Empty;
        return true;
    }

    /// <summary>Looks at the hint first: values are mostly in the order of the dimensions.</summary>
    private int IndexOf(string name, int hint)
    {
        if (hint < _dimensions.Length && _dimensions[hint].Name == name)
        {
            return hint;
        }

        for (int i = 0; i < _dimensions.Length; i++)
        {
            if (_dimensions[i].Name == name)
            {
                return i;
            }
        }

        return -1;
    }

    /// <summary>NaN and infinity are outside of every dimension.</summary>
    private bool IsWithin(AttributeValue value, int index) =>
        value.Kind == _dimensions[index].Kind && value.Key >= _lows[index] && value.Key < _highs[index];

    private bool IsWithin(in NamedRange range, int index) =>
        IsWithin(range.From, index)
        && range.To.Kind == range.From.Kind
        && range.To.Key > range.From.Key
        && range.To.Key <= _highs[index];

    private string WhyNotName(string what, string name, int index) => index >= 0
        ? $"The {what} has '{name}' twice. Give each dimension once."
        : $"The {what} has '{name}', which is no dimension of the space. The dimensions are "
            + $"'{string.Join("', '", _dimensions.Select(d => d.Name))}'.";

    private string WhyMissing(uint seen)
    {
        string missing = string.Join("', '", _dimensions.Where((_, i) => (seen & (1u << i)) == 0).Select(d => d.Name));
        return $"The event has no '{missing}'. Give a value for every dimension.";
    }

    private static string WhyNotValue(in NamedValue value, Dimension dimension) =>
        WhyNotNumber(value.Value, dimension, $"'{value.Name}' is {value.Value}")
        ?? $"'{value.Name}' is {value.Value}, which is not within {dimension}. Give a value that is.";

    private static string WhyNotRange(in NamedRange range, Dimension dimension)
    {
        string what = $"The range of '{range.Name}' is [{range.From}, {range.To})";
        return WhyNotNumber(range.From, dimension, what)
            ?? WhyNotNumber(range.To, dimension, what)
            ?? (range.From.Key >= range.To.Key
                ? $"{what}, which is empty. Give an end above the beginning, or leave the range out for all of the dimension."
                : $"{what}, which is not within {dimension}. Give a range that is, or leave it out for all of the dimension.");
    }

    private static string? WhyNotNumber(AttributeValue value, Dimension dimension, string what) => value.Kind != dimension.Kind
        ? $"{what}, of kind {value.Kind}, and the dimension is of kind {dimension.Kind}. Give a value of that kind."
        : value.Kind == AttributeKind.Real && !double.IsFinite(AttributeValue.RealOf(value.Key))
            ? $"{what}. Give a finite number within {dimension}."
            : null;
}
