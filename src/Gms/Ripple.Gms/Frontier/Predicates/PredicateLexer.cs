using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Ripple.Gms.Frontier.Predicates;

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

internal readonly record struct Lexeme(LexemeKind Kind, int Position, string Text, int Number)
{
    /// <summary>The token as shown in an error.</summary>
    public string Describe() => Kind switch
    {
        LexemeKind.End => "the end",
        LexemeKind.Operand => $"'${PredicateError.Cut(Text)}'",
        LexemeKind.Quoted => $"\"{PredicateError.Cut(Text)}\"",
        _ => $"'{PredicateError.Cut(Text)}'",
    };
}

internal enum LexemeKind
{
    End,

    /// <summary>The name of an operator or level.</summary>
    Word,

    /// <summary>A dollar sign and the word after it; the text excludes the sign.</summary>
    Operand,

    Number,

    /// <summary>A quoted name; the text excludes quotes and escapes.</summary>
    Quoted,

    Open,

    Close,

    Comma,

    Dot,

    Plus,

    Minus,

    Star,

    Slash,
}

/// <summary>The reading position in a predicate's tokens, the limits on depth and size, and the first error.</summary>
internal sealed class LexemeReader(List<Lexeme> tokens)
{
    private int _index;
    private int _depth;
    private int _count;

    public PredicateError? Error { get; private set; }

    public bool HasFailed => Error is not null;

    public Lexeme Current => tokens[_index];

    public LexemeKind FollowingKind => tokens[Math.Min(_index + 1, tokens.Count - 1)].Kind;

    /// <summary>The first token that is not an opening parenthesis.</summary>
    public LexemeKind FirstKindInside
    {
        get
        {
            int index = _index;
            while (tokens[index].Kind == LexemeKind.Open)
            {
                index++;
            }

            return tokens[index].Kind;
        }
    }

    public void Next() => _index = Math.Min(_index + 1, tokens.Count - 1);

    /// <summary>Records the first error; always returns false.</summary>
    public bool Fail(int position, string message)
    {
        Error ??= new PredicateError(position, message);
        return false;
    }

    /// <summary>Records that something else was expected here; always returns false.</summary>
    public bool Expected(string what) => Fail(Current.Position, $"Expected {what}; found {Current.Describe()}.");

    /// <summary>Consumes an opening parenthesis.</summary>
    public bool TryEnter()
    {
        if (++_depth > PredicateLimits.DepthMax)
        {
            return Fail(Current.Position, $"Nested more than {PredicateLimits.DepthMax} deep.");
        }

        Next();
        return true;
    }

    /// <summary>Consumes a closing parenthesis; the text describes where one was expected.</summary>
    public bool TryLeave(string where)
    {
        if (Current.Kind != LexemeKind.Close)
        {
            return Expected($"')' {where}");
        }

        _depth--;
        Next();
        return true;
    }

    /// <summary>Counts a part of the predicate toward the limit.</summary>
    public bool TryCount(int position) =>
        ++_count <= PredicateLimits.NodesMax || Fail(position, $"More than {PredicateLimits.NodesMax} operators, sets and numbers.");

    /// <summary>Reads {"." level} ["." "direct"] if present.</summary>
    public bool TryReadSuffix(ref PredicateSuffix suffix)
    {
        while (Current.Kind == LexemeKind.Dot)
        {
            int position = Current.Position;
            Next();
            if (Current.Kind != LexemeKind.Word)
            {
                return Expected("a level after '.': received, persisted, applied or one of your own");
            }

            if (suffix.IsNone)
            {
                suffix.Position = position;
            }

            if (!TryReadLevel(ref suffix))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Reads one word of a suffix.</summary>
    public bool TryReadLevel(ref PredicateSuffix suffix)
    {
        Lexeme word = Current;
        if (suffix.IsDirect)
        {
            return Fail(word.Position, "Nothing follows .direct: the level comes before it, once.");
        }

        if (string.Equals(word.Text, FrontierLevels.DirectWord, StringComparison.OrdinalIgnoreCase))
        {
            suffix.IsDirect = true;
        }
        else if (suffix.Level is not null)
        {
            return Fail(
                word.Position, $"The level is given twice: .{PredicateError.Cut(suffix.Level)} and .{PredicateError.Cut(word.Text)}.");
        }
        else
        {
            suffix.Level = word.Text.ToLowerInvariant();
        }

        Next();
        return true;
    }
}
