using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>A condition that is no comparison is taken for its opposite.</summary>
internal sealed class NegationOperator : IMutationOperator
{
    public string Name => "negation";

    public IEnumerable<Change> ChangesOf(SyntaxNode node)
    {
        ExpressionSyntax? condition = node switch
        {
            IfStatementSyntax s => s.Condition,
            WhileStatementSyntax s => s.Condition,
            ConditionalExpressionSyntax e => e.Condition,
            _ => null,
        };
        return condition switch
        {
            PrefixUnaryExpressionSyntax not when not.IsKind(SyntaxKind.LogicalNotExpression) => [Change.Of(not, not.Operand.ToString())],
            InvocationExpressionSyntax or IdentifierNameSyntax or MemberAccessExpressionSyntax => [Change.Of(condition, $"!{condition}")],
            BinaryExpressionSyntax both when both.IsKind(SyntaxKind.LogicalAndExpression) || both.IsKind(SyntaxKind.LogicalOrExpression) =>
                [Change.Of(condition, $"!({condition})")],
            _ => [],
        };
    }
}
