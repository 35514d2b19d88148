using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests.Documents;

/// <summary>Finds the code in markdown: fenced blocks, indented blocks and inline spans.</summary>
internal static partial class MarkdownCode
{
    public static IEnumerable<CodePiece> Read(string document, string markdown)
    {
        string? fence = null;
        bool isBlock = false;
        bool isAfterBlank = true;
        int number = 0;
        foreach (string line in markdown.ReplaceLineEndings("\n").Split('\n'))
        {
            number++;
            if (Fence().Match(line) is { Success: true } match)
            {
                fence = fence is null ? match.Groups[1].Value : null;
                isBlock = false;
                continue;
            }

            if (fence is not null)
            {
                yield return new CodePiece(document, number, fence, line);
                continue;
            }

            // An indented line is code behind an empty line; behind text it goes on with a list's item.
            isBlock = line.StartsWith("    ", StringComparison.Ordinal) && (isBlock || isAfterBlank);
            isAfterBlank = line.Length == 0;
            if (isBlock)
            {
                yield return new CodePiece(document, number, string.Empty, line.Trim());
                continue;
            }

            foreach (Match span in Span().Matches(line))
            {
                yield return new CodePiece(document, number, null, span.Groups[1].Value.Replace("\\|", "|", StringComparison.Ordinal));
            }
        }
    }

    [GeneratedRegex(@"^ *```(\w*)")]
    private static partial Regex Fence();

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Span();
}
