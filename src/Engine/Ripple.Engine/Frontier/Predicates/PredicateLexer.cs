using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>Splits a predicate's text into tokens, at most one more than it has characters.</summary>
internal static class PredicateLexer
{
    public static bool TryRead(string text, [NotNullWhen(true)] out List<Lexeme>? tokens, [NotNullWhen(false)] out PredicateError? error)
    {
        tokens = [];
        int at = 0;
        while (at < text.Length)
        {
            char c = text[at];
            if (c is ' ' or '\t' or '\r' or '\n')
            {
                at++;
                continue;
            }

            if (!TryReadOne(text, ref at, out Lexeme token, out error))
            {
                tokens = null;
                return false;
            }

            tokens.Add(token);
        }

        tokens.Add(new Lexeme(LexemeKind.End, text.Length, "", 0));
        error = null;
        return true;
    }

    private static bool TryReadOne(string text, ref int at, out Lexeme token, [NotNullWhen(false)] out PredicateError? error)
    {
        int start = at;
        char c = text[at];
        token = default;
        error = null;
        if (c == '$')
        {
            at++;
            string name = ReadWord(text, ref at);
            token = new Lexeme(LexemeKind.Operand, start, name, 0);
            error = name.Length == 0 ? new PredicateError(start, "A '$' begins a set, such as $ALL, $ZONE(\"eu-1\") or $ALLWNODES.") : null;
        }
        else if (char.IsAsciiDigit(c))
        {
            string digits = ReadWord(text, ref at);
            bool isNumber = int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out int number);
            token = new Lexeme(LexemeKind.Number, start, digits, number);
            error = isNumber && number <= PredicateLimits.NumberMax
                ? null
                : new PredicateError(start, $"'{PredicateError.Cut(digits)}' is not a whole number up to {PredicateLimits.NumberMax}.");
        }
        else if (IsWord(c))
        {
            token = new Lexeme(LexemeKind.Word, start, ReadWord(text, ref at), 0);
        }
        else if (c is '"' or '\'')
        {
            return TryReadQuoted(text, ref at, out token, out error);
        }
        else
        {
            LexemeKind kind = KindOf(c);
            at++;
            token = new Lexeme(kind, start, c.ToString(), 0);
            error = kind == LexemeKind.End
                ? new PredicateError(
                    start, $"'{Show(c)}' has no meaning in a predicate; put names with such characters in quotes, such as $ZONE(\"eu-1\").")
                : null;
        }

        return error is null;
    }

    private static bool TryReadQuoted(string text, ref int at, out Lexeme token, [NotNullWhen(false)] out PredicateError? error)
    {
        int start = at;
        char quote = text[at++];
        StringBuilder name = new();
        while (at < text.Length && text[at] != quote)
        {
            if (text[at] == '\\' && at + 1 < text.Length)
            {
                at++;
            }

            name.Append(text[at++]);
        }

        token = new Lexeme(LexemeKind.Quoted, start, name.ToString(), 0);
        if (at == text.Length)
        {
            error = new PredicateError(start, $"The name that starts here has no closing {quote}.");
            return false;
        }

        at++;
        error = name.Length is 0 or > PredicateLimits.NameCharsMax || HasControl(token.Text)
            ? new PredicateError(start, $"A quoted name has 1 to {PredicateLimits.NameCharsMax} characters and no control characters.")
            : null;
        return error is null;
    }

    private static LexemeKind KindOf(char c) => c switch
    {
        '(' => LexemeKind.Open,
        ')' => LexemeKind.Close,
        ',' => LexemeKind.Comma,
        '.' => LexemeKind.Dot,
        '+' => LexemeKind.Plus,
        '-' => LexemeKind.Minus,
        '*' => LexemeKind.Star,
        '/' => LexemeKind.Slash,
        _ => LexemeKind.End,
    };

    private static string ReadWord(string text, ref int at)
    {
        int start = at;
        while (at < text.Length && IsWord(text[at]))
        {
            at++;
        }

        return text[start..at];
    }

    private static bool IsWord(char c) => char.IsAsciiLetterOrDigit(c) || c == '_';

    private static bool HasControl(string name)
    {
        foreach (char c in name)
        {
            if (char.IsControl(c))
            {
                return true;
            }
        }

        return false;
    }

    private static string Show(char c) => char.IsControl(c) || char.IsSurrogate(c) ? $"U+{(int)c:X4}" : c.ToString();
}
