using System.Text;
using System.Text.Unicode;
using DiffPlex;
using DiffPlex.DiffBuilder;
using DiffPlex.DiffBuilder.Model;
using Ripple.Admin.Contracts;
using Ripple.Trust;
using Spectre.Console;

namespace Ripple.Cli.Output;

/// <summary>Shows how values differ: lines of text with context, or only the lengths if a value is not text.</summary>
internal static class ValueDiff
{
    private const int ContextLines = 3;

    /// <summary>Longer values are shown only by their lengths, because comparing them takes too long.</summary>
    private const int BytesMax = 1024 * 1024;

    /// <summary>Shows changes one after another.</summary>
    /// <param name="context">The running command.</param>
    /// <param name="changes">The keys that change.</param>
    /// <param name="before">Reads the previous value; called only if there was one.</param>
    /// <param name="after">Reads the new value; called only if there is one.</param>
    public static async Task WriteAsync(
        CliContext context,
        IReadOnlyList<KeyChangeInfo> changes,
        Func<string, Task<ReadOnlyMemory<byte>>> before,
        Func<string, Task<ReadOnlyMemory<byte>>> after)
    {
        foreach (KeyChangeInfo change in changes)
        {
            ReadOnlyMemory<byte> old = change.Kind == KeyChangeKind.Added
                ? ReadOnlyMemory<byte>.Empty
                : await before(change.Key).ConfigureAwait(false);
            ReadOnlyMemory<byte> now = change.Kind == KeyChangeKind.Removed
                ? ReadOnlyMemory<byte>.Empty
                : await after(change.Key).ConfigureAwait(false);
            string lengths = change.Kind switch
            {
                KeyChangeKind.Added => $"{now.Length} bytes",
                KeyChangeKind.Removed => $"{old.Length} bytes",
                _ => $"{old.Length} -> {now.Length} bytes",
            };
            context.Line($"{Show.Kind(change.Kind)} {change.Key} ({lengths})");
            foreach ((char mark, string line) in Lines(old.Span, now.Span))
            {
                Write(context, mark, line);
            }
        }
    }

    private static List<(char Mark, string Line)> Lines(ReadOnlySpan<byte> old, ReadOnlySpan<byte> now)
    {
        if (old.Length > BytesMax || now.Length > BytesMax)
        {
            return [('@', "too long to be compared here")];
        }

        if (!Utf8.IsValid(old) || !Utf8.IsValid(now) || old.Contains((byte)0) || now.Contains((byte)0))
        {
            return [('@', "not text")];
        }

        (string before, bool isBeforeEnded) = Unended(old);
        (string after, bool isAfterEnded) = Unended(now);
        List<DiffPiece> pieces = new InlineDiffBuilder(new Differ()).BuildDiffModel(before, after, ignoreWhitespace: false).Lines;
        bool[] isShown = new bool[pieces.Count];
        for (int i = 0; i < pieces.Count; i++)
        {
            if (pieces[i].Type != ChangeType.Unchanged)
            {
                Array.Fill(
                    isShown,
                    true,
                    Math.Max(0, i - ContextLines),
                    Math.Min(pieces.Count, i + ContextLines + 1) - Math.Max(0, i - ContextLines));
            }
        }

        var lines = new List<(char, string)>();
        for (int i = 0; i < pieces.Count; i++)
        {
            if (isShown[i])
            {
                lines.Add(
                    (pieces[i].Type switch { ChangeType.Inserted => '+', ChangeType.Deleted => '-', _ => ' ' }, pieces[i].Text
                        ?? string.Empty));
            }
            else if (lines.Count > 0 && isShown[i - 1])
            {
                lines.Add(('@', "..."));
            }
        }

        if (lines is [.., ('@', _)])
        {
            lines.RemoveAt(lines.Count - 1);
        }

        if (before.Length == 0 || after.Length == 0)
        {
            // An empty text has no lines.
            lines.RemoveAll(l => l.Item2.Length == 0 && l.Item1 == (before.Length == 0 ? '-' : '+'));
        }

        if (isBeforeEnded != isAfterEnded && before.Length > 0 && after.Length > 0)
        {
            lines.Add(('@', isAfterEnded ? "a line end was added at the end" : "the line end at the end was removed"));
        }

        return lines.Count == 0 && !old.SequenceEqual(now) ? [('@', "only line ends differ")] : lines;
    }

    /// <summary>The text without its final line ending, which does not start another line.</summary>
    private static (string Text, bool IsEnded) Unended(ReadOnlySpan<byte> value)
    {
        string text = Encoding.UTF8.GetString(value);
        return text.EndsWith("\r\n", StringComparison.Ordinal)
            ? (text[..^2], true)
            : text.EndsWith('\n') ? (text[..^1], true) : (text, false);
    }

    private static void Write(CliContext context, char mark, string line)
    {
        string text = $"  {mark} {ShownText.Line(line)}";
        if (context.Console.Ansi is not { } ansi)
        {
            context.Console.Out.WriteLine(text);
            return;
        }

        Style style = mark switch
        {
            '+' => new Style(Color.Green),
            '-' => new Style(Color.Red),
            '@' => new Style(Color.Grey),
            _ => Style.Plain,
        };
        ansi.Write(new Text(text + "\n", style));
    }
}
