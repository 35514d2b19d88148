using System.Text;

namespace Ripple.Admin.Editing;

/// <summary>Looks at what is between the values of a document: spaces, comments, commas. The document was checked before.</summary>
internal static class JsonGap
{
    /// <summary>The first comma of a gap; null if there is none. Those of comments do not count.</summary>
    public static int? FindComma(ReadOnlySpan<byte> document, int start, int end)
    {
        for (int i = start; i < end; i = document[i] == '/' ? CommentEnd(document, i) : i + 1)
        {
            if (document[i] == ',')
            {
                return i;
            }
        }

        return null;
    }

    /// <summary>The byte behind the last comma or comment of a gap; its start if it has only spaces.</summary>
    /// <param name="document">The document.</param>
    /// <param name="start">Where the gap begins.</param>
    /// <param name="end">The byte behind the gap.</param>
    /// <param name="isLineComment">True: it is a comment to the end of the line.</param>
    public static int LastEnd(ReadOnlySpan<byte> document, int start, int end, out bool isLineComment)
    {
        int last = start;
        isLineComment = false;
        for (int i = start; i < end;)
        {
            if (IsSpace(document[i]))
            {
                i++;
                continue;
            }

            isLineComment = document[i] == '/' && document[i + 1] == '/';
            i = document[i] == '/' ? CommentEnd(document, i) : i + 1;
            last = i;
        }

        return last;
    }

    /// <summary>Whether a place is the first of its line but for spaces.</summary>
    public static bool IsFirstOnLine(ReadOnlySpan<byte> document, int index, out int lineStart)
    {
        lineStart = index;
        while (lineStart > 0 && document[lineStart - 1] is (byte)' ' or (byte)'\t')
        {
            lineStart--;
        }

        return lineStart > 0 && document[lineStart - 1] is (byte)'\n' or (byte)'\r';
    }

    /// <summary>The spaces at the beginning of a place's line.</summary>
    public static string IndentOf(ReadOnlySpan<byte> document, int index)
    {
        int start = document[..index].LastIndexOfAny((byte)'\n', (byte)'\r') + 1;
        int end = start;
        while (end < index && document[end] is (byte)' ' or (byte)'\t')
        {
            end++;
        }

        return Encoding.UTF8.GetString(document[start..end]);
    }

    /// <summary>The beginning of the next line if there are only spaces and comments before it; otherwise null.</summary>
    public static int? NextLine(ReadOnlySpan<byte> document, int index)
    {
        while (index < document.Length)
        {
            switch (document[index])
            {
                case (byte)' ' or (byte)'\t':
                    index++;
                    break;
                case (byte)'\n':
                    return index + 1;
                case (byte)'\r':
                    return index + (index + 1 < document.Length && document[index + 1] == '\n' ? 2 : 1);
                case (byte)'/':
                    int end = CommentEnd(document, index);
                    if (document[index..end].ContainsAny((byte)'\n', (byte)'\r'))
                    {
                        return null;
                    }

                    index = end;
                    break;
                default:
                    return null;
            }
        }

        return null;
    }

    /// <summary>The first place that is no space; with <paramref name="overLines"/> line ends are spaces too.</summary>
    public static int SkipSpaces(ReadOnlySpan<byte> document, int index, bool overLines)
    {
        while (index < document.Length && (overLines ? IsSpace(document[index]) : document[index] is (byte)' ' or (byte)'\t'))
        {
            index++;
        }

        return index;
    }

    /// <summary>Whether there are only spaces and line ends.</summary>
    public static bool IsBlank(ReadOnlySpan<byte> document, int start, int end) =>
        SkipSpaces(document[..end], start, overLines: true) >= end;

    /// <summary>The spaces directly before a place, on its line.</summary>
    public static string SpacesBefore(ReadOnlySpan<byte> document, int index)
    {
        IsFirstOnLine(document, index, out int start);
        return Encoding.UTF8.GetString(document[start..index]);
    }

    /// <summary>The first line end from a place on; null if there is none.</summary>
    public static string? NewLineFrom(ReadOnlySpan<byte> document, int index)
    {
        int found = document[index..].IndexOfAny((byte)'\n', (byte)'\r');
        return found < 0 ? null
            : document[index + found] == '\n' ? "\n"
            : index + found + 1 < document.Length && document[index + found + 1] == '\n' ? "\r\n"
            : "\r";
    }

    /// <summary>The line end before a line.</summary>
    /// <param name="document">The document.</param>
    /// <param name="lineStart">The first byte of the line, which is not the first of the document.</param>
    public static string NewLineBefore(ReadOnlySpan<byte> document, int lineStart) =>
        document[lineStart - 1] == '\r' ? "\r" : lineStart > 1 && document[lineStart - 2] == '\r' ? "\r\n" : "\n";

    private static bool IsSpace(byte b) => b is (byte)' ' or (byte)'\t' or (byte)'\n' or (byte)'\r';

    private static int CommentEnd(ReadOnlySpan<byte> document, int start)
    {
        int body = start + 2;
        int length = document[start + 1] == '*'
            ? document[body..].IndexOf("*/"u8) + 2
            : document[body..].IndexOfAny((byte)'\n', (byte)'\r');
        return length < 0 ? document.Length : body + length;
    }
}
