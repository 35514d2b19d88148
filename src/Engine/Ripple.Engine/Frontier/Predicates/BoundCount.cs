namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A bound k, evaluated again when members are discounted, because SIZEOF changes with them.</summary>
internal sealed class BoundCount(CountNode node, BoundSet? set, BoundCount? left, BoundCount? right)
{
    public void Discount(FrontierRow[] members, bool countLeft)
    {
        set?.Discount(members, countLeft);
        left?.Discount(members, countLeft);
        right?.Discount(members, countLeft);
    }

    /// <summary>False on a division by zero, or when far out of range.</summary>
    public bool TryEvaluate(out long value)
    {
        value = 0;
        switch (node)
        {
            case NumberNode number:
                value = number.Value;
                return true;
            case SizeOfNode:
                value = set!.Count;
                return true;
            default:
                return left!.TryEvaluate(out long a)
                    && right!.TryEvaluate(out long b)
                    && TryCompute(((ArithmeticNode)node).Sign, a, b, out value);
        }
    }

    private static bool TryCompute(char sign, long a, long b, out long value)
    {
        // Operands are within the range of int, so that nothing overflows before it is checked.
        value = sign switch
        {
            '+' => a + b,
            '-' => a - b,
            '*' => a * b,
            _ => b == 0 ? long.MaxValue : a / b,
        };
        return Math.Abs((decimal)value) <= int.MaxValue;
    }
}
