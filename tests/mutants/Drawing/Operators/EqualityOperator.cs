using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>Equal becomes unequal, null becomes not null, and the other way round.</summary>
internal sealed class EqualityOperator : IMutationOperator
{
    public string Name => "equality";

    public IEnumerable<Change> ChangesOf(SyntaxNode node) => node switch
    {
        BinaryExpressionSyntax b when b.IsKind(SyntaxKind.EqualsExpression) => [Change.Of(b, b.OperatorToken, "!=")],
        BinaryExpressionSyntax b when b.IsKind(SyntaxKind.NotEqualsExpression) => [Change.Of(b, b.OperatorToken, "==")],
        IsPatternExpressionSyntax { Pattern: ConstantPatternSyntax constant } => [Change.Of(constant, $"not {constant}")],
        IsPatternExpressionSyntax { Pattern: UnaryPatternSyntax { Pattern: ConstantPatternSyntax } not } =>
            [Change.Of(not, not.Pattern.ToString())],
        _ => [],
    };
}
