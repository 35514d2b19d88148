using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>The number of elements in a set.</summary>
internal sealed record SizeOfNode(int Position, SetNode Set) : CountNode(Position)
{
    public override void Write(StringBuilder text)
    {
        text.Append("SIZEOF(");
        Set.Write(text);
        text.Append(')');
    }
}
