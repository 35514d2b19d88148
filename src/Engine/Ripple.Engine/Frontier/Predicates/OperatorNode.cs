using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>MIN, MAX, KTH_MIN or KTH_MAX over the values of its arguments.</summary>
/// <param name="Position">Where it starts.</param>
/// <param name="Operator">The kind of operator.</param>
/// <param name="Count">The k of the KTH operators; null for the others.</param>
/// <param name="Arguments">The arguments; one or more.</param>
internal sealed record OperatorNode(
    int Position, PredicateOperator Operator, CountNode? Count, IReadOnlyList<ValueNode> Arguments) : ValueNode(Position)
{
    public override bool NeedsDirect => Arguments.Any(static argument => argument.NeedsDirect);

    public static string NameOf(PredicateOperator kind) => kind switch
    {
        PredicateOperator.Min => "MIN",
        PredicateOperator.Max => "MAX",
        PredicateOperator.KthMin => "KTH_MIN",
        _ => "KTH_MAX",
    };

    public override void Write(StringBuilder text)
    {
        text.Append(NameOf(Operator)).Append('(');
        if (Count is not null)
        {
            Count.Write(text);
            text.Append(", ");
        }

        for (int i = 0; i < Arguments.Count; i++)
        {
            text.Append(i == 0 ? "" : ", ");
            Arguments[i].Write(text);
        }

        text.Append(')');
    }
}
