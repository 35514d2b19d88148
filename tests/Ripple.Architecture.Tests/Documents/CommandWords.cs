using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests.Documents;

/// <summary>Splits a line of a shell into its commands, and a command into words without the marks of a synopsis.</summary>
internal static partial class CommandWords
{
    public static IEnumerable<string[]> Of(string line)
    {
        string code = Comment().Replace(Quoted().Replace(line, "x"), string.Empty);
        foreach (string command in Joint().Split(code))
        {
            IEnumerable<string> marked = command.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            string[] words = [.. marked.Select(w => w.Trim('[', ']', '(', ')', ';', ',')).Where(w => w.Length > 0)];
            if (words.Length > 0)
            {
                yield return words;
            }
        }
    }

    [GeneratedRegex("\"[^\"]*\"|'[^']*'")]
    private static partial Regex Quoted();

    [GeneratedRegex(@"(^|\s+)# .*$")]
    private static partial Regex Comment();

    [GeneratedRegex(@" \| | && | \|\| |; | > | 2>&1| &$|<\(|\$\(")]
    private static partial Regex Joint();
}
