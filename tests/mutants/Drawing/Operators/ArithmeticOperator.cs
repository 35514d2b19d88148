using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>More becomes less, and less becomes more.</summary>
internal sealed class ArithmeticOperator : IMutationOperator
{
    public string Name => "arithmetic";

    public IEnumerable<Change> ChangesOf(SyntaxNode node)
    {
        SyntaxToken? sign = node switch
        {
            BinaryExpressionSyntax b when !b.DescendantNodes().Any(IsText) => b.OperatorToken,
            AssignmentExpressionSyntax a when !IsText(a.Right) => a.OperatorToken,
            PostfixUnaryExpressionSyntax p => p.OperatorToken,
            PrefixUnaryExpressionSyntax p => p.OperatorToken,
            _ => null,
        };
        string? other = sign?.Kind() switch
        {
            SyntaxKind.PlusToken when node is BinaryExpressionSyntax => "-",
            SyntaxKind.MinusToken when node is BinaryExpressionSyntax => "+",
            SyntaxKind.PlusEqualsToken => "-=",
            SyntaxKind.MinusEqualsToken => "+=",
            SyntaxKind.PlusPlusToken => "--",
            SyntaxKind.MinusMinusToken => "++",
            _ => null,
        };
        return other is null ? [] : [Change.Of(node, sign!.Value, other)];
    }

    private static bool IsText(SyntaxNode node) =>
        node is InterpolatedStringExpressionSyntax || node.IsKind(SyntaxKind.StringLiteralExpression);
}
