using System.Collections.Immutable;
using System.Globalization;

namespace Ripple.Simulator.Scripts;

/// <summary>Names of items as text: separated by commas, numbers in a row as <c>3-7</c>, <c>none</c> for no item.</summary>
internal static class ItemNames
{
    private const string None = "none";
    private const int RangeMax = 100_000;

    /// <summary>Numbers by their value and before other names.</summary>
    public static IComparer<string> Order { get; } = Comparer<string>.Create(Compare);

    /// <summary>A set of names.</summary>
    public static ImmutableSortedSet<string> SetOf(IEnumerable<string> names) => names.ToImmutableSortedSet(Order);

    /// <summary>Writes a set.</summary>
    public static string Format(ImmutableSortedSet<string> names)
    {
        var parts = new List<string>();
        for (int i = 0; i < names.Count; i++)
        {
            int last = i;
            while (last + 1 < names.Count && IsNumber(names[last], out int at) && IsNumber(names[last + 1], out int next) && next == at + 1)
            {
                last++;
            }

            parts.Add(last == i ? names[i] : $"{names[i]}-{names[last]}");
            i = last;
        }

        return parts.Count == 0 ? None : string.Join(',', parts);
    }

    /// <summary>Reads a set; null when the text is none.</summary>
    public static ImmutableSortedSet<string>? Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var names = new List<string>();
        foreach (string part in text == None ? [] : text.Split(','))
        {
            string[] ends = part.Split('-');
            if (ends.Length == 2 && IsNumber(ends[0], out int first) && IsNumber(ends[1], out int last))
            {
                if (last < first || last - first > RangeMax)
                {
                    return null;
                }

                names.AddRange(Enumerable.Range(first, last - first + 1).Select(n => n.ToString(CultureInfo.InvariantCulture)));
            }
            else if (part.Length == 0 || !part.All(c => char.IsAsciiLetterOrDigit(c) || c == '-'))
            {
                return null;
            }
            else
            {
                names.Add(part);
            }
        }

        return SetOf(names);
    }

    private static int Compare(string? x, string? y)
    {
        bool isNumberX = IsNumber(x, out int numberX);
        bool isNumberY = IsNumber(y, out int numberY);
        return isNumberX && isNumberY
            ? numberX.CompareTo(numberY)
            : isNumberX != isNumberY ? (isNumberX ? -1 : 1) : string.CompareOrdinal(x, y);
    }

    private static bool IsNumber(string? text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
