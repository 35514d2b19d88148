namespace Ripple.Engine.Frontier.Predicates;

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
