using System.Globalization;
using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A literal number.</summary>
internal sealed record NumberNode(int Position, int Value) : CountNode(Position)
{
    public override void Write(StringBuilder text) => text.Append(Value.ToString(CultureInfo.InvariantCulture));
}
