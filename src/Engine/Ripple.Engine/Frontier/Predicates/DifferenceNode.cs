using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A set without the elements of one or more other sets of its kind.</summary>
/// <param name="Position">Where it starts.</param>
/// <param name="First">The set to remove from.</param>
/// <param name="Removed">The sets to remove; one or more.</param>
internal sealed record DifferenceNode(int Position, SetNode First, IReadOnlyList<SetNode> Removed) : SetNode(Position, First.IsWan)
{
    public override void Write(StringBuilder text)
    {
        // A difference in first position associates to the left and needs no parentheses.
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
