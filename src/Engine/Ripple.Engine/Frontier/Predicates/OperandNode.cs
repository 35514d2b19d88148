using System.Globalization;
using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A named set.</summary>
/// <param name="Position">Where it starts.</param>
/// <param name="Kind">The selection it makes.</param>
/// <param name="Name">The name, or the label's key; empty for kinds without one.</param>
/// <param name="Value">The label's value; empty for other kinds.</param>
/// <param name="Index">The number of a <see cref="OperandKind.WanNodeAt"/> operand, from 1; otherwise 0.</param>
internal sealed record OperandNode(int Position, OperandKind Kind, string Name, string Value, int Index)
    : SetNode(Position, Kind <= OperandKind.WanNodeAt)
{
    public override void Write(StringBuilder text)
    {
        text.Append('$');
        if (Kind == OperandKind.WanNodeAt)
        {
            text.Append(Index.ToString(CultureInfo.InvariantCulture));
            return;
        }

        text.Append(OperandNames.WordOf(Kind));
        if (Kind == OperandKind.Label)
        {
            text.Append('(');
            WriteQuoted(text, Name);
            text.Append(", ");
            WriteQuoted(text, Value);
            text.Append(')');
        }
        else if (Name.Length > 0 && IsBare(Name))
        {
            text.Append('_').Append(Name);
        }
        else if (Name.Length > 0)
        {
            text.Append('(');
            WriteQuoted(text, Name);
            text.Append(')');
        }
    }

    private static bool IsBare(string name)
    {
        foreach (char c in name)
        {
            if (!char.IsAsciiLetterOrDigit(c) && c != '_')
            {
                return false;
            }
        }

        return true;
    }

    private static void WriteQuoted(StringBuilder text, string name)
    {
        text.Append('"');
        foreach (char c in name)
        {
            text.Append(c is '"' or '\\' ? "\\" : "").Append(c);
        }

        text.Append('"');
    }
}
