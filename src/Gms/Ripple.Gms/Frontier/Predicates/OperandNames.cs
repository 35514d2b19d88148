using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Ripple.Gms.Frontier.Predicates;

/// <summary>The names of operands.</summary>
internal static class OperandNames
{
    /// <summary>The list of operands shown in errors.</summary>
    public const string Known = "$ALL, $ZONE(\"name\"), $AREA(\"name\"), $NODE(\"name\"), $HOME(\"host\"), $LABEL(\"key\", "
        + "\"value\"), $HOSTS, $REPLICAS, $EXTERNAL(\"name\"), "
        + "$ALLWNODES, $MYAZWNODES, $MYWNODE, $WNODE_zone, $AZ_area or $1, $2 ...";

    private static readonly (string Word, OperandKind Kind, bool HasName)[] Words =
    [
        ("ALLWNODES", OperandKind.AllWanNodes, false),
        ("MYAZWNODES", OperandKind.MyAreaWanNodes, false),
        ("MYWNODE", OperandKind.MyWanNode, false),
        // Stabilizer uses both spellings.
        ("MYWNODES", OperandKind.MyWanNode, false),
        ("WNODE", OperandKind.WanNode, true),
        ("AZ", OperandKind.AreaWanNodes, true),
        ("ALL", OperandKind.All, false),
        ("ZONE", OperandKind.Zone, true),
        ("AREA", OperandKind.Area, true),
        ("HOME", OperandKind.Home, true),
        ("LABEL", OperandKind.Label, true),
        ("NODE", OperandKind.Node, true),
        ("EXTERNAL", OperandKind.External, true),
        ("HOSTS", OperandKind.Hosts, false),
        ("REPLICAS", OperandKind.Replicas, false),
    ];

    public static string WordOf(OperandKind kind)
    {
        foreach ((string word, OperandKind of, _) in Words)
        {
            if (of == kind)
            {
                return word;
            }
        }

        return "";
    }

    /// <summary>Looks up a '$' word: its kind, whether it takes a name, and the name if joined to the word by an underscore.</summary>
    public static bool TryFind(string text, out OperandKind kind, out bool hasName, out string joinedName)
    {
        joinedName = "";
        int underscore = text.IndexOf('_', StringComparison.Ordinal);
        foreach ((string word, OperandKind of, bool takesName) in Words)
        {
            kind = of;
            hasName = takesName;
            if (string.Equals(word, text, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }

            bool isJoined = takesName && underscore == word.Length && underscore < text.Length - 1;
            if (isJoined && text.StartsWith(word, StringComparison.OrdinalIgnoreCase))
            {
                joinedName = text[(underscore + 1)..];
                return true;
            }
        }

        kind = default;
        hasName = false;
        return false;
    }
}

/// <summary>
/// The selection made by an operand. Up to <see cref="WanNodeAt"/> the elements are WAN nodes (the hosts of a zone), after it nodes.
/// </summary>
internal enum OperandKind
{
    /// <summary>$ALLWNODES: every zone that has hosts.</summary>
    AllWanNodes,

    /// <summary>$MYAZWNODES: the zones of the evaluating host's area that have hosts.</summary>
    MyAreaWanNodes,

    /// <summary>$MYWNODE: the evaluating host's zone.</summary>
    MyWanNode,

    /// <summary>$WNODE_x: zone x.</summary>
    WanNode,

    /// <summary>$AZ_x: the zones of area x that have hosts.</summary>
    AreaWanNodes,

    /// <summary>$1, $2 ...: the zones that have hosts, in ordinal order of their names.</summary>
    WanNodeAt,

    /// <summary>$ALL: the application's nodes.</summary>
    All,

    /// <summary>$ZONE_x: the nodes in zone x.</summary>
    Zone,

    /// <summary>$AREA_x: the nodes in area x.</summary>
    Area,

    /// <summary>$HOME_x: the nodes whose home host is x.</summary>
    Home,

    /// <summary>$LABEL("key","value"): the nodes with that label.</summary>
    Label,

    /// <summary>$NODE_x: nodes and hosts of that name.</summary>
    Node,

    /// <summary>$EXTERNAL_x: the external of that name.</summary>
    External,

    /// <summary>$HOSTS: every host.</summary>
    Hosts,

    /// <summary>$REPLICAS: the application's primary and backups.</summary>
    Replicas,
}

/// <summary>The suffix read after a set; the default value means none.</summary>
internal struct PredicateSuffix
{
    /// <summary>The level in lower case; null when none was written.</summary>
    public string? Level;

    /// <summary>Whether .direct was written.</summary>
    public bool IsDirect;

    /// <summary>Where it starts.</summary>
    public int Position;

    public readonly bool IsNone => Level is null && !IsDirect;
}

/// <summary>Reads one named set: $WORD, $WORD_name, $WORD("name") or $number.</summary>
internal static class PredicateOperandReader
{
    public static bool TryRead(LexemeReader tokens, [NotNullWhen(true)] out SetNode? set)
    {
        Lexeme token = tokens.Current;
        set = null;
        tokens.Next();
        if (char.IsAsciiDigit(token.Text[0]))
        {
            if (!int.TryParse(token.Text, NumberStyles.None, CultureInfo.InvariantCulture, out int index)
                || index is 0 or > PredicateLimits.NumberMax)
            {
                return tokens.Fail(
                    token.Position, $"{token.Describe()} is no WAN node: they are $1, $2 and so on, up to ${PredicateLimits.NumberMax}.");
            }

            set = new OperandNode(token.Position, OperandKind.WanNodeAt, "", "", index);
            return tokens.TryCount(token.Position);
        }

        if (!OperandNames.TryFind(token.Text, out OperandKind kind, out bool hasName, out string name))
        {
            return tokens.Fail(token.Position, $"{token.Describe()} is no set. There are {OperandNames.Known}.");
        }

        string value = "";
        if (kind == OperandKind.Label && name.Length > 0)
        {
            return tokens.Fail(token.Position, "A label is written $LABEL(\"key\", \"value\").");
        }

        if (hasName && name.Length == 0 && !TryReadNames(tokens, kind, out name, out value))
        {
            return false;
        }

        set = new OperandNode(token.Position, kind, name, value, 0);
        return tokens.TryCount(token.Position);
    }

    private static bool TryReadNames(LexemeReader tokens, OperandKind kind, out string name, out string value)
    {
        string word = OperandNames.WordOf(kind);
        bool isLabel = kind == OperandKind.Label;
        string form = isLabel ? "(\"key\", \"value\")" : "(\"name\")";
        name = "";
        value = "";
        if (tokens.Current.Kind != LexemeKind.Open)
        {
            return tokens.Expected($"{form} after ${word}");
        }

        return tokens.TryEnter()
            && TryReadName(tokens, $"a quoted name: ${word}{form}", out name)
            && (!isLabel || (TryReadComma(tokens) && TryReadName(tokens, "the label's value in quotes", out value)))
            && tokens.TryLeave($"at the end of ${word}");
    }

    private static bool TryReadComma(LexemeReader tokens)
    {
        if (tokens.Current.Kind != LexemeKind.Comma)
        {
            return tokens.Expected("',' and the label's value in quotes");
        }

        tokens.Next();
        return true;
    }

    private static bool TryReadName(LexemeReader tokens, string what, out string name)
    {
        name = tokens.Current.Text;
        if (tokens.Current.Kind != LexemeKind.Quoted)
        {
            return tokens.Expected(what);
        }

        tokens.Next();
        return true;
    }
}
