using Ripple.Trust;

namespace Ripple.PowerShell.Output;

/// <summary>Makes text from others safe to display; used by the formats of the module. Properties keep the text as it is.</summary>
public static class RippleText
{
    private const int NamedMax = 2;

    /// <summary>Several lines, in which characters that are not shown are written as their number. Null for null.</summary>
    public static string? Shown(string? text) => text is null ? null : ShownText.Lines(text);

    /// <summary>One line of the same. Null for null.</summary>
    public static string? ShownLine(string? text) => text is null ? null : ShownText.Line(text);

    /// <summary>Names on one line, separated by commas.</summary>
    public static string ShownNames(IEnumerable<string> names) => string.Join(", ", names.Select(ShownText.Line));

    /// <summary>Two changed keys on one line, removed ones with a minus; of more, their number.</summary>
    /// <param name="set">The keys set.</param>
    /// <param name="removed">The keys removed.</param>
    public static string ShownChanges(IEnumerable<string> set, IEnumerable<string> removed)
    {
        string[] names = [.. set.Select(ShownText.Line), .. removed.Select(k => $"-{ShownText.Line(k)}")];
        return names.Length <= NamedMax ? string.Join(", ", names) : $"{names.Length} keys";
    }
}
