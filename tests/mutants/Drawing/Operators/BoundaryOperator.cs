using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>A comparison takes in, or leaves out, the value at its edge.</summary>
internal sealed class BoundaryOperator : IMutationOperator
{
    public string Name => "boundary";

    public IEnumerable<Change> ChangesOf(SyntaxNode node)
    {
        string? other = node.Kind() switch
        {
            SyntaxKind.LessThanExpression => "<=",
            SyntaxKind.LessThanOrEqualExpression => "<",
            SyntaxKind.GreaterThanExpression => ">=",
            SyntaxKind.GreaterThanOrEqualExpression => ">",
            _ => null,
        };
        return other is null ? [] : [Change.Of(node, ((BinaryExpressionSyntax)node).OperatorToken, other)];
    }
}
