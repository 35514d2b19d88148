using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>Yes becomes no, and no becomes yes.</summary>
internal sealed class ReturnOperator : IMutationOperator
{
    public string Name => "return";

    public IEnumerable<Change> ChangesOf(SyntaxNode node) => (node as ReturnStatementSyntax)?.Expression switch
    {
        { RawKind: (int)SyntaxKind.TrueLiteralExpression } yes => [Change.Of(yes, "false")],
        { RawKind: (int)SyntaxKind.FalseLiteralExpression } no => [Change.Of(no, "true")],
        _ => [],
    };
}
