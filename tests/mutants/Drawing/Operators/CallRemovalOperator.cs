using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>A call that stands for itself is left out.</summary>
internal sealed class CallRemovalOperator : IMutationOperator
{
    public string Name => "call-removed";

    public IEnumerable<Change> ChangesOf(SyntaxNode node) =>
        node is ExpressionStatementSyntax
        {
            Expression: InvocationExpressionSyntax or AwaitExpressionSyntax or ConditionalAccessExpressionSyntax,
        }
            ? [Change.Of(node, ";")]
            : [];
}
