using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Ripple.Mutants.Drawing.Operators;

/// <summary>A whole number is one more, or one less.</summary>
internal sealed class ConstantOperator : IMutationOperator
{
    public string Name => "constant";

    public IEnumerable<Change> ChangesOf(SyntaxNode node)
    {
        if (node is not LiteralExpressionSyntax { Token.Value: int value } literal
            || literal.Token.Text != value.ToString(CultureInfo.InvariantCulture))
        {
            yield break;
        }

        yield return Change.Of(literal, (value + 1).ToString(CultureInfo.InvariantCulture));
        if (value > 0)
        {
            yield return Change.Of(literal, (value - 1).ToString(CultureInfo.InvariantCulture));
        }
    }
}
