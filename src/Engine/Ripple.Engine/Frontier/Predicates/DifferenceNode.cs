using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A set without the elements of one or more others of its kind.</summary>
/// <param name="Position">Where it starts.</param>
/// <param name="First">What is taken from.</param>
/// <param name="Removed">What is taken away; one or more.</param>
internal sealed record DifferenceNode(int Position, SetNode First, IReadOnlyList<SetNode> Removed) : SetNode(Position, First.IsWan)
{
    public override void Write(StringBuilder text)
    {
        // A difference in the first place reads from the left without parentheses.
        First.Write(text);
        foreach (SetNode removed in Removed)
        {
            bool isGrouped = removed is DifferenceNode;
            text.Append(isGrouped ? " - (" : " - ");
            removed.Write(text);
            text.Append(isGrouped ? ")" : "");
        }
    }
}
