using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>A comparison of two things looks at one of them twice.</summary>
internal sealed class OperandOperator : IMutationOperator
{
    public string Name => "operand";

    public IEnumerable<Change> ChangesOf(SyntaxNode node) =>
        node is BinaryExpressionSyntax
        {
            Left: MemberAccessExpressionSyntax left,
            Right: MemberAccessExpressionSyntax right,
        }
        binary && IsComparison(binary.Kind()) && left.Expression.ToString() != right.Expression.ToString()
            ? [Change.Of(right.Expression, left.Expression.ToString())]
            : [];

    private static bool IsComparison(SyntaxKind kind) => kind is
        SyntaxKind.EqualsExpression or SyntaxKind.NotEqualsExpression
        or SyntaxKind.LessThanExpression or SyntaxKind.LessThanOrEqualExpression
        or SyntaxKind.GreaterThanExpression or SyntaxKind.GreaterThanOrEqualExpression;
}
