namespace Ripple.Cli.Output;

/// <summary>Text of others, made harmless: names, notes and reasons must not move a terminal's cursor or look like other lines.</summary>
internal static class SafeText
{
    /// <summary>One line: control characters become spaces.</summary>
    public static string Line(string text) => text.AsSpan().IndexOfAnyInRange('\0', '\u001F') < 0
        && text.AsSpan().IndexOfAnyInRange('\u007F', '\u009F') < 0
        ? text
        : string.Concat(text.Select(c => char.IsControl(c) ? ' ' : c));

    /// <summary>Lines: control characters but line ends and tabs become spaces.</summary>
    public static string Lines(string text) => string.Concat(text.Select(c => char.IsControl(c) && c is not ('\n' or '\t') ? ' ' : c));
}
