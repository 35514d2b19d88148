namespace Ripple.Cli.Output;

/// <summary>Sanitizes text from others: names, notes and reasons must not move a terminal's cursor or pass for other lines.</summary>
internal static class SafeText
{
    /// <summary>A single line: control characters become spaces.</summary>
    public static string Line(string text) => text.AsSpan().IndexOfAnyInRange('\0', '\u001F') < 0
        && text.AsSpan().IndexOfAnyInRange('\u007F', '\u009F') < 0
        ? text
        : string.Concat(text.Select(c => char.IsControl(c) ? ' ' : c));

    /// <summary>Several lines: control characters except newlines and tabs become spaces.</summary>
    public static string Lines(string text) => string.Concat(text.Select(c => char.IsControl(c) && c is not ('\n' or '\t') ? ' ' : c));
}
