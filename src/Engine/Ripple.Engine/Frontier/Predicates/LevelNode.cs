using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A set with a level: the values of its elements.</summary>
/// <param name="Position">Where the set starts.</param>
/// <param name="Set">The set.</param>
/// <param name="Level">The level's name in lower case.</param>
/// <param name="IsDirect">Whether only direct reports count.</param>
/// <param name="LevelPosition">Position of the level, for errors.</param>
internal sealed record LevelNode(int Position, SetNode Set, string Level, bool IsDirect, int LevelPosition) : ValueNode(Position)
{
    public const string DefaultLevel = "received";

    public override bool NeedsDirect => IsDirect;

    public override void Write(StringBuilder text)
    {
        bool isPlain = Level == DefaultLevel && !IsDirect;
        bool isGrouped = !isPlain && Set is DifferenceNode;
        text.Append(isGrouped ? "(" : "");
        Set.Write(text);
        text.Append(isGrouped ? ")" : "");
        if (!isPlain)
        {
            text.Append('.').Append(Level).Append(IsDirect ? ".direct" : "");
        }
    }
}
