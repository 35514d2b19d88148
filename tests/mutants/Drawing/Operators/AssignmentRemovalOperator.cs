using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>Something keeps its old value.</summary>
internal sealed class AssignmentRemovalOperator : IMutationOperator
{
    public string Name => "assignment-removed";

    public IEnumerable<Change> ChangesOf(SyntaxNode node) =>
        node is ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax } && node.Ancestors().Any(a => a is BlockSyntax)
            && !node.Ancestors().Any(a => a is ConstructorDeclarationSyntax)
            ? [Change.Of(node, ";")]
            : [];
}
