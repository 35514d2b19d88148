using System.Text;

namespace Ripple.Architecture.Tests;

/// <summary>C# source without what is not code.</summary>
internal static class SourceText
{
    /// <summary>The same text with comments, strings and characters blanked; lines stay where they are.</summary>
    public static string CodeOnly(string source)
    {
        var code = new StringBuilder(source.Length);
        int i = 0;
        while (i < source.Length)
        {
            int end = EndOfNonCode(source, i);
            if (end == i)
            {
                code.Append(source[i++]);
                continue;
            }

            foreach (char c in source.AsSpan(i, end - i))
            {
                code.Append(c == '\n' ? '\n' : ' ');
            }

            i = end;
        }

        return code.ToString();
    }

    private static int EndOfNonCode(string s, int i)
    {
        ReadOnlySpan<char> rest = s.AsSpan(i);
        if (rest.StartsWith("//"))
        {
            return After(s, "\n", i, keep: 1);
        }

        if (rest.StartsWith("/*"))
        {
            return After(s, "*/", i + 2);
        }

        if (rest.StartsWith("\"\"\""))
        {
            int quotes = rest.Length - rest.TrimStart('"').Length;
            return After(s, new string('"', quotes), i + quotes);
        }

        if (rest[0] == '"')
        {
            bool isVerbatim = i > 0 && (s[i - 1] == '@' || (i > 1 && s[i - 1] == '$' && s[i - 2] == '@'));
            return EndOfString(s, i + 1, '"', isVerbatim);
        }

        return rest[0] == '\'' ? EndOfString(s, i + 1, '\'', isVerbatim: false) : i;
    }

    private static int EndOfString(string s, int i, char quote, bool isVerbatim)
    {
        while (i < s.Length && s[i] != quote)
        {
            i += !isVerbatim && s[i] == '\\' ? 2 : 1;
        }

        return Math.Min(i + 1, s.Length);
    }

    private static int After(string s, string end, int from, int keep = 0)
    {
        int found = s.IndexOf(end, from, StringComparison.Ordinal);
        return found < 0 ? s.Length : found + end.Length - keep;
    }
}
