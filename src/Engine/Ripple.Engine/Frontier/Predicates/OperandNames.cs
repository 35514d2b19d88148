namespace Ripple.Engine.Frontier.Predicates;

/// <summary>The names of operands.</summary>
internal static class OperandNames
{
    /// <summary>The list of operands shown in errors.</summary>
    public const string Known = "$ALL, $ZONE(\"name\"), $AREA(\"name\"), $NODE(\"name\"), $HOME(\"host\"), $LABEL(\"key\", "
        + "\"value\"), $HOSTS, $REPLICAS, "
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
