using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;
using Ripple.Mutants.Sources;

namespace Ripple.Mutants.Rewriting;

/// <summary>Puts all mutants of a file into it, each behind its number.</summary>
internal static partial class FileRewriter
{
    private const string Original = "/*original*/";

    public static CSharpParseOptions ParseOptions { get; } =
        CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Preview).WithPreprocessorSymbols("RELEASE", "NET", "NET10_0");

    /// <summary>
    /// The file in which every body that a mutant changes stands once as it is and once for each mutant. A mutant that cannot be switched
    /// is told to <paramref name="onRefused"/>, with the reason, and left out.
    /// </summary>
    public static string Rewrite(string text, IReadOnlyList<NumberedMutant> mutants, Action<NumberedMutant, string> onRefused)
    {
        SyntaxTree tree = Parse(text);
        var bodies = new SortedDictionary<int, (MemberBody Body, List<(int Number, string Statements)> Mutated)>();
        foreach (NumberedMutant numbered in mutants)
        {
            int index = SourceLines.IndexOf(text, numbered.Mutant.Line);
            if (index < 0)
            {
                onRefused(numbered, $"is of a line that is there {SourceLines.Count(text, numbered.Mutant.Line)} times and not once");
                continue;
            }

            if (Mutate(tree, text, index, numbered.Mutant.Becomes, out MemberBody? body) is not { } statements)
            {
                onRefused(numbered, "is no part of a body that can be switched");
                continue;
            }

            if (!bodies.TryGetValue(body!.Span.Start, out (MemberBody, List<(int, string)> Mutated) entry))
            {
                bodies.Add(body.Span.Start, entry = (body, []));
            }

            entry.Mutated.Add((numbered.Number, statements));
        }

        var result = new StringBuilder();
        int end = 0;
        foreach ((MemberBody body, List<(int Number, string Statements)> mutated) in bodies.Values)
        {
            TextSpan span = body.Span;
            result.Append(text, end, span.Start - end).Append(body.Around(Switched(body.Statements(), mutated)));
            end = span.End;
        }

        return result.Append(text, end, text.Length - end).ToString();
    }

    /// <summary>True when the line can be switched from what it says to something else that is still a syntax tree.</summary>
    public static bool CanSwitch(SyntaxTree tree, string text, int lineIndex, string becomes) =>
        Mutate(tree, text, lineIndex, becomes, out _) is not null;

    public static SyntaxTree Parse(string text) => CSharpSyntaxTree.ParseText(text, ParseOptions);

    /// <summary>The number of the mutant that a line of a rewritten file belongs to; null for what is there in any case.</summary>
    public static int? NumberAt(string rewritten, int lineIndex)
    {
        string[] lines = rewritten.Split('\n');
        for (int i = Math.Min(lineIndex, lines.Length - 1); i >= 0; i--)
        {
            if (lines[i].Contains(Original, StringComparison.Ordinal))
            {
                return null;
            }

            Match match = Marker().Match(lines[i]);
            if (match.Success)
            {
                return int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture);
            }
        }

        return null;
    }

    private static string? Mutate(SyntaxTree tree, string text, int lineIndex, string becomes, out MemberBody? body)
    {
        string mutated = SourceLines.Replace(text, lineIndex, becomes);
        SyntaxTree mutatedTree = tree.WithChangedText(SourceText.From(mutated));
        body = MemberBody.Find(tree, lineIndex);
        MemberBody? other = body is null ? null : MemberBody.Find(mutatedTree, lineIndex);
        bool isOnlyBody = other is not null
            && text.AsSpan(0, body!.Span.Start).SequenceEqual(mutated.AsSpan(0, Math.Min(other.Span.Start, mutated.Length)))
            && text.AsSpan(body.Span.End).SequenceEqual(mutated.AsSpan(other.Span.End));
        bool isCode = isOnlyBody && !mutatedTree.GetDiagnostics().Any(d => d.Severity == DiagnosticSeverity.Error);
        return isCode ? other!.Statements() : null;
    }

    private static string Switched(string original, List<(int Number, string Statements)> mutated)
    {
        var text = new StringBuilder("{\n");
        foreach ((int number, string statements) in mutated)
        {
            text.Append(
                CultureInfo.InvariantCulture, $"/*mutant {number}*/ if ({SwitchSource.TypeName}.Is({number}))\n{statements}\nelse\n");
        }

        return text.Append(CultureInfo.InvariantCulture, $"{Original}\n{original}\n}}").ToString();
    }

    [GeneratedRegex(@"/\*mutant (\d+)\*/")]
    private static partial Regex Marker();
}
