using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Ripple.Engine.Frontier.Predicates;

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
