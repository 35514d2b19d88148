using System.Reflection;
using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests.Documents;

/// <summary>The language of predicates, as the engine's parser takes it.</summary>
internal sealed partial class KnownPredicates
{
    private readonly MethodInfo _tryParse = Assembly.Load("Ripple.Gms").GetTypes().Single(t => t.Name == "PredicateParser")
        .GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic).Single(m => m.Name == "TryParse");

    /// <summary>True for a span that speaks of predicates and not of code.</summary>
    public static bool IsMeant(string span) => Operand().IsMatch(span) || Operator().IsMatch(span) || IsOperator(span);

    /// <summary>
    /// The operators and operands that the parser does not know, of a span that need not be a whole predicate (<c>MIN(...)</c>).
    /// </summary>
    public IEnumerable<string> Unknown(string span)
    {
        string text = Quoted().Replace(span, "\"x\"");
        foreach (Match word in Operator().Matches(text))
        {
            if (!IsOperator(word.Groups[1].Value) || !IsKnownOperator(word.Groups[1].Value))
            {
                yield return word.Groups[1].Value;
            }
        }

        foreach (string operand in Operand().Matches(text).Select(m => m.Value).Where(o => !IsKnownOperand(o)))
        {
            yield return operand;
        }
    }

    public bool IsPredicate(string text) => (bool)_tryParse.Invoke(null, [text, null, null])!;

    private static bool IsOperator(string word) => word is "MIN" or "MAX" or "KTH_MIN" or "KTH_MAX" or "SIZEOF";

    private bool IsKnownOperator(string word) =>
        IsPredicate($"{word}(applied)") || IsPredicate($"{word}(1, applied)") || IsPredicate($"KTH_MAX({word}($ALL), applied)");

    private bool IsKnownOperand(string operand) =>
        IsPredicate($"MAX({operand})") || IsPredicate($"MAX({operand}(\"x\"))") || IsPredicate($"MAX({operand}(\"x\", \"y\"))");

    [GeneratedRegex(@"(?<![\w.$])([A-Z][A-Z_]{2,})\(")]
    private static partial Regex Operator();

    /// <summary>A variable of a shell is <c>$WORD</c> as well; those are followed by a path, or stand in blocks.</summary>
    [GeneratedRegex(@"\$(?:[A-Z]+(?![A-Z]*_[A-Z]+_)(?:_\w+)?|\d+)(?![/\w])")]
    private static partial Regex Operand();

    [GeneratedRegex("\"[^\"]*\"|'[^']*'")]
    private static partial Regex Quoted();
}
