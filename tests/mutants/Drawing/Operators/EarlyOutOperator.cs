using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>What should end here goes on.</summary>
internal sealed class EarlyOutOperator : IMutationOperator
{
    public string Name => "early-out-removed";

    public IEnumerable<Change> ChangesOf(SyntaxNode node) =>
        node is ReturnStatementSyntax or ContinueStatementSyntax or BreakStatementSyntax
            && node.Parent is BlockSyntax { Parent: IfStatementSyntax }
            ? [Change.Of(node, ";")]
            : [];
}
