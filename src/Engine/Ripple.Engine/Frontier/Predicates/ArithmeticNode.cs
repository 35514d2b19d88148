using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A sum, difference, product or integer quotient.</summary>
/// <param name="Position">Position of the operator sign.</param>
/// <param name="Sign">One of + - * /.</param>
/// <param name="Left">The left operand.</param>
/// <param name="Right">The right operand.</param>
internal sealed record ArithmeticNode(int Position, char Sign, CountNode Left, CountNode Right) : CountNode(Position)
{
    private bool IsSum => Sign is '+' or '-';

    public override void Write(StringBuilder text)
    {
        Write(text, Left, !IsSum && Left is ArithmeticNode { IsSum: true });
        text.Append(IsSum ? $" {Sign} " : Sign.ToString());
        // On the right, an operand of equal precedence needs parentheses too: 8/(4/2).
        Write(text, Right, Right is ArithmeticNode right && (!IsSum || right.IsSum));
    }

    private static void Write(StringBuilder text, CountNode node, bool isGrouped)
    {
        text.Append(isGrouped ? "(" : "");
        node.Write(text);
        text.Append(isGrouped ? ")" : "");
    }
}
