using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>The least becomes the greatest, and the other way round.</summary>
internal sealed class MinMaxOperator : IMutationOperator
{
    public string Name => "min-max";

    public IEnumerable<Change> ChangesOf(SyntaxNode node)
    {
        string? other = node is MemberAccessExpressionSyntax access && access.Parent is InvocationExpressionSyntax
            ? access.Name.Identifier.Text switch { "Min" => "Max", "Max" => "Min", _ => null }
            : null;
        return other is null ? [] : [Change.Of(node, ((MemberAccessExpressionSyntax)node).Name.Identifier, other)];
    }
}
