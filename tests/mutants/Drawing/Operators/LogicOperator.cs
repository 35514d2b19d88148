using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>Both becomes one of them, and one of them becomes both.</summary>
internal sealed class LogicOperator : IMutationOperator
{
    public string Name => "logic";

    public IEnumerable<Change> ChangesOf(SyntaxNode node) => node switch
    {
        BinaryExpressionSyntax b when b.IsKind(SyntaxKind.LogicalAndExpression) => [Change.Of(b, b.OperatorToken, "||")],
        BinaryExpressionSyntax b when b.IsKind(SyntaxKind.LogicalOrExpression) => [Change.Of(b, b.OperatorToken, "&&")],
        _ => [],
    };
}
