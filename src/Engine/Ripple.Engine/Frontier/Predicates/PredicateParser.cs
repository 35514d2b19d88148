using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>
/// Parses the text of a predicate into a <see cref="Predicate"/>: Stabilizer's grammar plus the additions in docs/guide/predicates.md.
/// Pure; never throws on invalid text; bounded by <see cref="PredicateLimits"/>.
/// </summary>
/// <remarks>
/// <code>
/// predicate := ("MIN" | "MAX") "(" value {"," value} ")" | ("KTH_MIN" | "KTH_MAX") "(" count "," value {"," value} ")" | "(" predicate ")"
/// value     := predicate | set | level            a bare level stands alone in its operator, and means $ALL
/// set       := term {"-" term}
/// term      := ("$" operand | "(" set ")") {"." level} ["." "direct"]
/// count     := numbers, "SIZEOF" "(" set ")", + - * / and parentheses
/// </code>
/// </remarks>
internal static class PredicateParser
{
    /// <summary>Parses the text; returns false with the first error when it is invalid.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out Predicate? predicate, [NotNullWhen(false)] out PredicateError? error)
    {
        ArgumentNullException.ThrowIfNull(text);
        predicate = null;
        if (text.Length > PredicateLimits.TextCharsMax)
        {
            error = new PredicateError(
                PredicateLimits.TextCharsMax,
                $"A predicate has at most {PredicateLimits.TextCharsMax} characters; this has {text.Length}.");
            return false;
        }

        if (!PredicateLexer.TryRead(text, out List<Lexeme>? tokens, out error))
        {
            return false;
        }

        PredicateReader reader = new(tokens);
        if (!reader.TryReadPredicate(out OperatorNode? root))
        {
            error = reader.Error;
            return false;
        }

        predicate = new Predicate(text, root);
        error = null;
        return true;
    }
}
