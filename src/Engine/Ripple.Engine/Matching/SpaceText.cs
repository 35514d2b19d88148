using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Ripple.Engine.Matching;

/// <summary>
/// A space as people write it: <c>price:real:0..1000:USD volume:integer:0..1e6 at:time:2026-01-01..2027-01-01</c>. Pure.
/// </summary>
internal static class SpaceText
{
    /// <summary>The longest text, in characters.</summary>
    public const int TextCharsMax = 4_096;

    /// <summary>The longest name of a dimension, in characters.</summary>
    public const int NameCharsMax = 64;

    private const string Form = "Write NAME:KIND:FROM..TO:UNIT; the kind is real, integer or time, a unit is optional and not for times.";
    private const string DateForm = "yyyy-MM-dd";
    private const long TicksToNs = 100;

    private static readonly string[] TimeForms = ["HH:mm", "HH:mm:ss", "HH:mm:ss.FFFFFFF"];
    private static readonly DateOnly UnixEpoch = new(1970, 1, 1);
    private static readonly char[] Blanks = [' ', '\t', '\r', '\n'];

    /// <summary>Reads a space; false with what is wrong and what to write instead.</summary>
    public static bool TryRead(string text, [NotNullWhen(true)] out AttributeSpace? space, [NotNullWhen(false)] out string? error)
    {
        space = null;
        if (text.Length > TextCharsMax)
        {
            error = string.Create(CultureInfo.InvariantCulture, $"The space has {text.Length} characters. Write at most {TextCharsMax}.");
            return false;
        }

        var dimensions = new List<Dimension>();
        foreach (string word in text.Split(Blanks, StringSplitOptions.RemoveEmptyEntries))
        {
            if (!TryReadDimension(word, out Dimension? dimension, out error))
            {
                return false;
            }

            dimensions.Add(dimension);
        }

        error = AttributeSpace.Check(dimensions);
        space = error is null ? new AttributeSpace(dimensions) : null;
        return space is not null;
    }

    /// <summary>
    /// Reads a value of a kind: a number, or for a time also a date with or without a time of day, in UTC: <c>2026-01-01T12:00:00Z</c>.
    /// False if it is none.
    /// </summary>
    public static bool TryReadValue(AttributeKind kind, string text, out AttributeValue value)
    {
        switch (kind)
        {
            case AttributeKind.Real:
                bool isReal = double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double real);
                value = AttributeValue.Real(real);
                return isReal;
            case AttributeKind.Integer:
                bool isInteger = TryReadInteger(text, out long integer);
                value = AttributeValue.Integer(integer);
                return isInteger;
            default:
                bool isTime = TryReadTime(text, out long unixNs);
                value = AttributeValue.Time(unixNs);
                return isTime;
        }
    }

    /// <summary>A value as <see cref="TryReadValue"/> reads it, and people too.</summary>
    public static string Show(AttributeValue value)
    {
        if (value.Kind != AttributeKind.Time || value.Key % TicksToNs != 0)
        {
            return value.ToString();
        }

        (long days, long ticks) = Math.DivRem(value.Key / TicksToNs, TimeSpan.TicksPerDay);
        if (ticks < 0)
        {
            (days, ticks) = (days - 1, ticks + TimeSpan.TicksPerDay);
        }

        DateOnly date = UnixEpoch.AddDays((int)days);
        return $"{date.ToString(DateForm, CultureInfo.InvariantCulture)}T"
            + $"{new TimeOnly(ticks).ToString("HH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture)}Z";
    }

    private static bool TryReadDimension(
        string word, [NotNullWhen(true)] out Dimension? dimension, [NotNullWhen(false)] out string? error)
    {
        dimension = null;
        string[] parts = word.Split(':', 3);
        if (!IsName(parts[0]))
        {
            error = $"'{parts[0]}' is no name of a dimension. Give 1 to {NameCharsMax} of a-z A-Z 0-9 . _ -, beginning with a letter.";
            return false;
        }

        if (parts.Length == 1 || !TryReadKind(parts[1], out AttributeKind kind))
        {
            error = $"'{word}' has no kind. {Form}";
            return false;
        }

        if (parts.Length == 2)
        {
            // All that a time may be; a range makes matching faster.
            dimension = kind == AttributeKind.Time ? Dimension.Time(parts[0], long.MinValue, long.MaxValue) : null;
            error = dimension is null ? $"'{word}' has no range. {Form}" : null;
            return error is null;
        }

        string range = parts[2];
        int dots = range.IndexOf("..", StringComparison.Ordinal);
        int colon = kind == AttributeKind.Time || dots < 0 ? -1 : range.IndexOf(':', dots);
        string unit = colon < 0 ? string.Empty : range[(colon + 1)..];
        string to = dots < 0 ? string.Empty : range[(dots + 2)..(colon < 0 ? range.Length : colon)];
        if (dots < 0 || !TryReadValue(kind, range[..dots], out AttributeValue from) || !TryReadValue(kind, to, out AttributeValue end))
        {
            error = $"'{word}' has no range of the kind {kind.ToString().ToLowerInvariant()}. {Form}";
            return false;
        }

        dimension = kind switch
        {
            AttributeKind.Real => Dimension.Real(parts[0], AttributeValue.RealOf(from.Key), AttributeValue.RealOf(end.Key), unit),
            AttributeKind.Integer => Dimension.Integer(parts[0], from.Key, end.Key, unit),
            _ => Dimension.Time(parts[0], from.Key, end.Key),
        };
        error = null;
        return true;
    }

    private static bool IsName(string name) => name.Length is > 0 and <= NameCharsMax
        && char.IsAsciiLetter(name[0])
        && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-');

    private static bool TryReadKind(string text, out AttributeKind kind)
    {
        kind = text == "integer" ? AttributeKind.Integer : text == "time" ? AttributeKind.Time : AttributeKind.Real;
        return text is "real" or "integer" or "time";
    }

    private static bool TryReadInteger(string text, out long integer)
    {
        // 1e6 is a whole number to people.
        bool isWhole = decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out decimal number)
            && decimal.Truncate(number) == number
            && number is >= long.MinValue and <= long.MaxValue;
        integer = isWhole ? (long)number : 0;
        return isWhole;
    }

    private static bool TryReadTime(string text, out long unixNs)
    {
        if (TryReadInteger(text, out unixNs))
        {
            return true;
        }

        ReadOnlySpan<char> rest = text.AsSpan().TrimEnd('Z');
        int t = rest.IndexOf('T');
        ReadOnlySpan<char> day = t < 0 ? rest : rest[..t];
        TimeOnly time = default;
        if (text.Length - rest.Length > 1
            || !DateOnly.TryParseExact(day, DateForm, CultureInfo.InvariantCulture, DateTimeStyles.None, out DateOnly date)
            || (t >= 0 && !TimeOnly.TryParseExact(
                rest[(t + 1)..], TimeForms, CultureInfo.InvariantCulture, DateTimeStyles.None, out time)))
        {
            return false;
        }

        Int128 ns = (((Int128)(date.DayNumber - UnixEpoch.DayNumber) * TimeSpan.TicksPerDay) + time.Ticks) * TicksToNs;
        bool isWithin = ns >= long.MinValue && ns <= long.MaxValue;
        unixNs = isWithin ? (long)ns : 0;
        return isWithin;
    }
}
