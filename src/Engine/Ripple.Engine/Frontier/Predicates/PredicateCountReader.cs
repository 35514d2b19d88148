using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>Reads the k of an operator: numbers, SIZEOF, + - * / and parentheses.</summary>
internal sealed class PredicateCountReader(LexemeReader tokens, PredicateReader reader)
{
    public const string SizeOfWord = "SIZEOF";

    public bool TryReadSum([NotNullWhen(true)] out CountNode? count)
    {
        if (!TryReadProduct(out count))
        {
            return false;
        }

        while (tokens.Current.Kind is LexemeKind.Plus or LexemeKind.Minus)
        {
            Lexeme sign = tokens.Current;
            tokens.Next();
            if (!TryReadProduct(out CountNode? right) || !tokens.TryCount(sign.Position))
            {
                return false;
            }

            count = new ArithmeticNode(sign.Position, sign.Text[0], count, right);
        }

        return true;
    }

    private bool TryReadProduct([NotNullWhen(true)] out CountNode? count)
    {
        if (!TryReadFactor(out count))
        {
            return false;
        }

        while (tokens.Current.Kind is LexemeKind.Star or LexemeKind.Slash)
        {
            Lexeme sign = tokens.Current;
            tokens.Next();
            if (!TryReadFactor(out CountNode? right) || !tokens.TryCount(sign.Position))
            {
                return false;
            }

            count = new ArithmeticNode(sign.Position, sign.Text[0], count, right);
        }

        return true;
    }

    private bool TryReadFactor([NotNullWhen(true)] out CountNode? count)
    {
        count = null;
        Lexeme token = tokens.Current;
        switch (token.Kind)
        {
            case LexemeKind.Number:
                tokens.Next();
                count = new NumberNode(token.Position, token.Number);
                return tokens.TryCount(token.Position);
            case LexemeKind.Open:
                return tokens.TryEnter() && TryReadSum(out count) && tokens.TryLeave("or a sign in the k");
            case LexemeKind.Word when string.Equals(token.Text, SizeOfWord, StringComparison.OrdinalIgnoreCase):
                tokens.Next();
                return TryReadSizeOf(token, out count);
            default:
                return tokens.Expected("the k: a whole number, SIZEOF(set) or a sum of such");
        }
    }

    private bool TryReadSizeOf(Lexeme word, [NotNullWhen(true)] out CountNode? count)
    {
        count = null;
        if (tokens.Current.Kind != LexemeKind.Open)
        {
            return tokens.Expected("'(' after SIZEOF");
        }

        if (!tokens.TryEnter() || !reader.TryReadSet(out PredicateSuffix suffix, out SetNode? set))
        {
            return false;
        }

        if (!suffix.IsNone)
        {
            return tokens.Fail(suffix.Position, "SIZEOF counts members whatever their level: leave the level out.");
        }

        count = new SizeOfNode(word.Position, set);
        return tokens.TryLeave("or '-' in SIZEOF") && tokens.TryCount(word.Position);
    }
}
