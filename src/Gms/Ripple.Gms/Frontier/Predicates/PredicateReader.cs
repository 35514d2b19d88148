using System.Diagnostics.CodeAnalysis;

namespace Ripple.Gms.Frontier.Predicates;

/// <summary>
/// A recursive-descent reader of one predicate's tokens. After a method returns false, <see cref="Error"/> gives the reason.
/// </summary>
internal sealed class PredicateReader(List<Lexeme> tokens)
{
    private readonly LexemeReader _tokens = new(tokens);

    public PredicateError Error => _tokens.Error!;

    /// <summary>Reads the whole text.</summary>
    public bool TryReadPredicate([NotNullWhen(true)] out OperatorNode? root)
    {
        root = null;
        int opened = 0;
        while (_tokens.Current.Kind == LexemeKind.Open)
        {
            if (!_tokens.TryEnter())
            {
                return false;
            }

            opened++;
        }

        if (!TryReadOperator(out root))
        {
            return false;
        }

        for (; opened > 0; opened--)
        {
            if (!_tokens.TryLeave("after the predicate in parentheses"))
            {
                return false;
            }
        }

        return _tokens.Current.Kind == LexemeKind.End || _tokens.Expected("the end of the predicate");
    }

    private static bool TryFindOperator(string word, out PredicateOperator kind)
    {
        for (kind = PredicateOperator.Min; kind <= PredicateOperator.KthMax; kind++)
        {
            if (string.Equals(word, OperatorNode.NameOf(kind), StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }

    private bool TryReadOperator([NotNullWhen(true)] out OperatorNode? node)
    {
        node = null;
        Lexeme name = _tokens.Current;
        if (name.Kind != LexemeKind.Word || !TryFindOperator(name.Text, out PredicateOperator kind))
        {
            return _tokens.Expected("MIN, MAX, KTH_MIN or KTH_MAX");
        }

        _tokens.Next();
        if (_tokens.Current.Kind != LexemeKind.Open)
        {
            return _tokens.Expected($"'(' after {OperatorNode.NameOf(kind)}");
        }

        if (!_tokens.TryEnter())
        {
            return false;
        }

        CountNode? count = null;
        if (kind is PredicateOperator.KthMin or PredicateOperator.KthMax && !TryReadK(kind, out count))
        {
            return false;
        }

        List<ValueNode> arguments = [];
        if (!TryReadArguments(arguments) || !_tokens.TryLeave($"or ',' in {OperatorNode.NameOf(kind)}") || !_tokens.TryCount(name.Position))
        {
            return false;
        }

        node = new OperatorNode(name.Position, kind, count, arguments);
        return true;
    }

    private bool TryReadK(PredicateOperator kind, [NotNullWhen(true)] out CountNode? count)
    {
        if (!new PredicateCountReader(_tokens, this).TryReadSum(out count))
        {
            return false;
        }

        if (_tokens.Current.Kind != LexemeKind.Comma)
        {
            return _tokens.Expected($"',' and sets after the k of {OperatorNode.NameOf(kind)}");
        }

        _tokens.Next();
        return true;
    }

    private bool TryReadArguments(List<ValueNode> arguments)
    {
        Lexeme? bareLevel = null;
        while (true)
        {
            Lexeme first = _tokens.Current;
            if (!TryReadValue(out ValueNode? value, out bool isBareLevel))
            {
                return false;
            }

            arguments.Add(value);
            bareLevel ??= isBareLevel ? first : null;
            if (bareLevel is { } bare && (arguments.Count > 1 || _tokens.Current.Kind == LexemeKind.Comma))
            {
                return _tokens.Fail(
                    bare.Position, "A level without a set stands alone in its operator; here name the set too, such as $ALL.applied.");
            }

            if (_tokens.Current.Kind != LexemeKind.Comma)
            {
                return true;
            }

            _tokens.Next();
        }
    }

    private bool TryReadValue([NotNullWhen(true)] out ValueNode? value, out bool isBareLevel)
    {
        value = null;
        isBareLevel = false;
        Lexeme token = _tokens.Current;
        if (token.Kind == LexemeKind.Word)
        {
            if (_tokens.FollowingKind != LexemeKind.Open)
            {
                isBareLevel = true;
                return TryReadBareLevel(out value);
            }

            if (string.Equals(token.Text, PredicateCountReader.SizeOfWord, StringComparison.OrdinalIgnoreCase))
            {
                return _tokens.Fail(token.Position, "SIZEOF counts members and is no release: it belongs in the k of KTH_MIN and KTH_MAX.");
            }

            bool isRead = TryReadOperator(out OperatorNode? nested);
            value = nested;
            return isRead;
        }

        if (token.Kind == LexemeKind.Open && _tokens.FirstKindInside == LexemeKind.Word)
        {
            return _tokens.TryEnter() && TryReadValue(out value, out isBareLevel) && _tokens.TryLeave("after the value in parentheses");
        }

        if (!TryReadSet(out PredicateSuffix suffix, out SetNode? set))
        {
            return false;
        }

        value = new LevelNode(
            token.Position, set, suffix.Level ?? LevelNode.DefaultLevel, suffix.IsDirect, suffix.IsNone ? token.Position : suffix.Position);
        return _tokens.TryCount(token.Position);
    }

    private bool TryReadBareLevel([NotNullWhen(true)] out ValueNode? value)
    {
        value = null;
        Lexeme token = _tokens.Current;
        PredicateSuffix suffix = default;
        if (!_tokens.TryReadLevel(ref suffix) || !_tokens.TryReadSuffix(ref suffix) || !_tokens.TryCount(token.Position))
        {
            return false;
        }

        OperandNode all = new(token.Position, OperandKind.All, "", "", 0);
        value = new LevelNode(token.Position, all, suffix.Level ?? LevelNode.DefaultLevel, suffix.IsDirect, token.Position);
        return true;
    }

    /// <summary>Reads a set, and the level after it if there is one.</summary>
    internal bool TryReadSet(out PredicateSuffix suffix, [NotNullWhen(true)] out SetNode? set)
    {
        int position = _tokens.Current.Position;
        if (!TryReadTerm(out suffix, out set) || _tokens.Current.Kind != LexemeKind.Minus)
        {
            return set is not null && !_tokens.HasFailed;
        }

        List<SetNode> removed = [];
        while (_tokens.Current.Kind == LexemeKind.Minus)
        {
            if (!suffix.IsNone)
            {
                return RefuseSuffix(suffix);
            }

            _tokens.Next();
            int termPosition = _tokens.Current.Position;
            if (!TryReadTerm(out suffix, out SetNode? term))
            {
                return false;
            }

            if (term.IsWan != set.IsWan)
            {
                return _tokens.Fail(
                    termPosition,
                    $"{term.Describe()} has {KindOf(term)}, {set.Describe()} has {KindOf(set)}: "
                        + $"only sets of one kind can be taken from each other.");
            }

            removed.Add(term);
        }

        if (!suffix.IsNone)
        {
            return RefuseSuffix(suffix);
        }

        set = new DifferenceNode(position, set, removed);
        return _tokens.TryCount(position);
    }

    private static string KindOf(SetNode set) => set.IsWan ? "WAN nodes" : "nodes";

    private bool RefuseSuffix(PredicateSuffix suffix) =>
        _tokens.Fail(suffix.Position, "In a difference the level stands behind parentheses around the whole: ($A - $B).persisted.");

    private bool TryReadTerm(out PredicateSuffix suffix, [NotNullWhen(true)] out SetNode? set)
    {
        suffix = default;
        set = null;
        if (_tokens.Current.Kind == LexemeKind.Open)
        {
            return _tokens.TryEnter()
                && TryReadSet(out suffix, out set)
                && _tokens.TryLeave("or '-' in a set in parentheses")
                && _tokens.TryReadSuffix(ref suffix);
        }

        if (_tokens.Current.Kind != LexemeKind.Operand)
        {
            return _tokens.Expected("a set, such as $ALL or $ZONE(\"eu-1\"), or an operator");
        }

        return PredicateOperandReader.TryRead(_tokens, out set) && _tokens.TryReadSuffix(ref suffix);
    }
}

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
