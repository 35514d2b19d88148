using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Rewriting;
using Ripple.Mutants.Sources;

namespace Ripple.Mutants.Drawing;

/// <summary>All mutants of a source file that could be drawn.</summary>
internal static class CandidateFinder
{
    public static IEnumerable<Mutant> Find(string file, string room, string text, int seed)
    {
        SyntaxTree tree = FileRewriter.Parse(text);
        SourceText lines = tree.GetText();
        foreach (SyntaxNode node in tree.GetRoot().DescendantNodes().Where(IsOfInterest))
        {
            foreach (IMutationOperator mutation in MutationOperators.All)
            {
                foreach (Change change in mutation.ChangesOf(node))
                {
                    if (Candidate(change) is var (line, becomes)
                        && SourceLines.Count(text, line.ToString().Trim()) == 1
                        && FileRewriter.CanSwitch(tree, text, line.LineNumber, becomes))
                    {
                        yield return new Mutant
                        {
                            Id = DrawOrder.IdOf(seed, room, file, line.ToString().Trim(), becomes),
                            Room = room,
                            Class = mutation.Name,
                            File = file,
                            Line = line.ToString().Trim(),
                            Becomes = becomes,
                        };
                    }
                }
            }
        }

        (TextLine Line, string Becomes)? Candidate(Change change)
        {
            TextLine line = lines.Lines.GetLineFromPosition(change.Span.Start);
            return change.Span.End > line.End
                ? null
                : (line, (lines.ToString(TextSpan.FromBounds(line.Start, change.Span.Start)) + change.Text
                    + lines.ToString(TextSpan.FromBounds(change.Span.End, line.End))).Trim());
        }
    }

    /// <summary>Texts for people are nobody's rule, and neither are arguments that are checked before anything happens.</summary>
    private static bool IsOfInterest(SyntaxNode node) => !node.AncestorsAndSelf().Any(a =>
        a is ThrowStatementSyntax or ThrowExpressionSyntax or InterpolatedStringExpressionSyntax or AttributeListSyntax
            or MethodDeclarationSyntax { Identifier.Text: "ToString" or "GetHashCode" or "Describe" })
        && !node.ToString().StartsWith("ArgumentNullException.", StringComparison.Ordinal);
}
