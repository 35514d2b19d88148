using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>How many elements a set has.</summary>
internal sealed record SizeOfNode(int Position, SetNode Set) : CountNode(Position)
{
    public override void Write(StringBuilder text)
    {
        text.Append("SIZEOF(");
        Set.Write(text);
        text.Append(')');
    }
}
