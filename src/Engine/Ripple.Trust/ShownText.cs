using System.Buffers;
using System.Globalization;
using System.Text;

namespace Ripple.Trust;

/// <summary>
/// Says which characters of a text from others are shown as they are. The rest would move a terminal's cursor, end a line, turn the order
/// of a line round, or not be seen at all. Used wherever such text comes in or is printed. Thread-safe.
/// </summary>
/// <remarks>
/// Hidden are control characters (C0, C1, delete), line and paragraph separators, halves of surrogate pairs, what Unicode calls format
/// characters (bidirectional marks, zero-width spaces, tags, byte order marks), and the letters and marks that have no shape. Two format
/// characters are parts of words and of emoji, and are shown in text: U+200C and U+200D. A name has no need of them.
/// </remarks>
internal static class ShownText
{
    private const char NonJoiner = '\u200C';
    private const char Joiner = '\u200D';

    /// <summary>What has no shape though its category says letter or mark: the grapheme joiner, fillers, inherent vowels.</summary>
    private static readonly SearchValues<char> Shapeless = SearchValues.Create("\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0");

    /// <summary>Whether a character of a text is not shown.</summary>
    public static bool IsHidden(Rune rune) => rune.Value is not (NonJoiner or Joiner) && IsHiddenInName(rune);

    /// <summary>Whether a character of a name, such as a key, is not shown.</summary>
    public static bool IsHiddenInName(Rune rune) => Rune.GetUnicodeCategory(rune)
        is UnicodeCategory.Control
        or UnicodeCategory.Format
        or UnicodeCategory.LineSeparator
        or UnicodeCategory.ParagraphSeparator
        || (rune.IsBmp && Shapeless.Contains((char)rune.Value));

    /// <summary>The position of the first character of a name that is not shown, and what it is; null when there is none.</summary>
    public static (int Index, int Value)? FindHiddenInName(ReadOnlySpan<char> name) => Find(name, IsHiddenInName);

    /// <summary>The same for a text. Line ends and tabs may be allowed.</summary>
    public static (int Index, int Value)? FindHidden(ReadOnlySpan<char> text, bool allowsLines) =>
        Find(text, allowsLines ? static r => r.Value is not ('\t' or '\n' or '\r') && IsHidden(r) : IsHidden);

    /// <summary>One line: line ends and tabs become spaces, hidden characters their number, as <c>\u202E</c>.</summary>
    public static string Line(string text) => Show(text, keepsLines: false);

    /// <summary>The same, but line feeds and tabs stay.</summary>
    public static string Lines(string text) => Show(text, keepsLines: true);

    /// <summary>The text with a space for each hidden character: one line, and never longer than before, in whatever encoding.</summary>
    public static string WithoutHidden(string text)
    {
        if (Find(text, IsHidden) is null)
        {
            return text;
        }

        var shown = new StringBuilder(text.Length);
        foreach (Rune rune in text.EnumerateRunes())
        {
            shown.Append(IsHidden(rune) ? " " : rune.ToString());
        }

        return shown.ToString();
    }

    private static (int Index, int Value)? Find(ReadOnlySpan<char> text, Func<Rune, bool> isHidden)
    {
        for (int i = 0; i < text.Length;)
        {
            if (Rune.DecodeFromUtf16(text[i..], out Rune rune, out int length) != OperationStatus.Done)
            {
                return (i, text[i]);
            }

            if (isHidden(rune))
            {
                return (i, rune.Value);
            }

            i += length;
        }

        return null;
    }

    private static string Show(string text, bool keepsLines)
    {
        if (Find(text, IsHidden) is not { } first)
        {
            return text;
        }

        var shown = new StringBuilder(text, 0, first.Index, text.Length + 16);
        for (int i = first.Index; i < text.Length;)
        {
            bool isWhole = Rune.DecodeFromUtf16(text.AsSpan(i), out Rune rune, out int length) == OperationStatus.Done;
            int value = isWhole ? rune.Value : text[i];
            if (isWhole && !IsHidden(rune))
            {
                shown.Append(text, i, length);
            }
            else if (value is '\t' or '\n' or '\r')
            {
                shown.Append(keepsLines && value != '\r' ? (char)value : ' ');
            }
            else
            {
                shown.Append(CultureInfo.InvariantCulture, $"\\u{value:X4}");
            }

            i += length;
        }

        return shown.ToString();
    }
}
