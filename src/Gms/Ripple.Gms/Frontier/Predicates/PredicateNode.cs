using System.Globalization;
using System.Text;

namespace Ripple.Gms.Frontier.Predicates;

/// <summary>A part of a parsed predicate. Immutable.</summary>
/// <param name="Position">Where it starts in the text.</param>
internal abstract record PredicateNode(int Position)
{
    /// <summary>Writes the canonical text.</summary>
    public abstract void Write(StringBuilder text);

    /// <summary>The canonical text, cut short enough for an error.</summary>
    public string Describe()
    {
        StringBuilder text = new();
        Write(text);
        return PredicateError.Cut(text.ToString());
    }
}

/// <summary>An argument of an operator: a nested operator, or a set with the level read from its elements.</summary>
internal abstract record ValueNode(int Position) : PredicateNode(Position)
{
    /// <summary>Whether .direct is used anywhere in it.</summary>
    public abstract bool NeedsDirect { get; }
}

/// <summary>A set of WAN nodes or of nodes.</summary>
/// <param name="Position">Where it starts.</param>
/// <param name="IsWan">True when its elements are WAN nodes.</param>
internal abstract record SetNode(int Position, bool IsWan) : PredicateNode(Position);

/// <summary>A literal number.</summary>
internal sealed record NumberNode(int Position, int Value) : CountNode(Position)
{
    public override void Write(StringBuilder text) => text.Append(Value.ToString(CultureInfo.InvariantCulture));
}

/// <summary>A number: the k of an operator, or a part of it.</summary>
internal abstract record CountNode(int Position) : PredicateNode(Position);

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
