using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Ripple.Gms.Frontier.Predicates;

/// <summary>
/// A parsed stability predicate: the newest release that is stable enough, as a function of the members' progress. Created by
/// <see cref="PredicateParser"/>. Immutable; any thread.
/// </summary>
internal sealed class Predicate
{
    private readonly OperatorNode _root;
    private readonly string _canonical;

    internal Predicate(string text, OperatorNode root)
    {
        Text = text;
        _root = root;
        StringBuilder canonical = new();
        root.Write(canonical);
        _canonical = canonical.ToString();
        NeedsDirect = root.NeedsDirect;
        bool isDefined = false;
        OperandCount = Count(root, ref isDefined);
        Levels = [.. LevelsOf(root).Distinct(StringComparer.Ordinal)];
        UsesDefinitions = isDefined || Levels.Any(l => !FrontierLevels.IsBuiltIn(l));
    }

    /// <summary>The original text, to which error positions refer.</summary>
    public string Text { get; }

    /// <summary>
    /// True when it reads a level that requires direct reports (.direct); a host that waits for it may request such reports from members.
    /// </summary>
    public bool NeedsDirect { get; }

    /// <summary>The levels that it reads, in lower case.</summary>
    public IReadOnlyList<string> Levels { get; }

    /// <summary>
    /// True when it means something else with other definitions of its application: it names an area, an external, or a level of the
    /// application's own.
    /// </summary>
    public bool UsesDefinitions { get; }

    /// <summary>How many operands it names. Bound to so many members, it reads at most so many values of each.</summary>
    public int OperandCount { get; }

    /// <summary>The most that a look at it can cost when it is bound to so many members; see <see cref="BoundPredicate.Cost"/>.</summary>
    public long CostMax(int memberCount) => (OperandCount + 1L) * memberCount;

    /// <summary>
    /// Binds the predicate to members, so that it can be evaluated. False when a set is empty, a level is unknown or a k is out of range.
    /// </summary>
    public bool TryBind(
        BindingContext context, [NotNullWhen(true)] out BoundPredicate? bound, [NotNullWhen(false)] out PredicateError? error)
    {
        return PredicateBinder.TryBind(this, _root, context, out bound, out error);
    }

    /// <summary>
    /// The canonical text: identical for predicates that differ only in spaces, case of words and unnecessary parentheses. Parses to the
    /// same predicate.
    /// </summary>
    public override string ToString() => _canonical;

    private static IEnumerable<string> LevelsOf(ValueNode node) => node switch
    {
        OperatorNode operation => operation.Arguments.SelectMany(LevelsOf),
        LevelNode level => [level.Level],
        _ => [],
    };

    /// <summary>Counts the operands of a part, and notes whether one of them is what an application defines.</summary>
    private static int Count(PredicateNode? node, ref bool isDefined)
    {
        int count = 0;
        switch (node)
        {
            case OperatorNode operation:
                count = Count(operation.Count, ref isDefined);
                foreach (ValueNode argument in operation.Arguments)
                {
                    count += Count(argument, ref isDefined);
                }

                break;
            case LevelNode level:
                return Count(level.Set, ref isDefined);
            case SizeOfNode size:
                return Count(size.Set, ref isDefined);
            case ArithmeticNode arithmetic:
                return Count(arithmetic.Left, ref isDefined) + Count(arithmetic.Right, ref isDefined);
            case DifferenceNode difference:
                count = Count(difference.First, ref isDefined);
                foreach (SetNode removed in difference.Removed)
                {
                    count += Count(removed, ref isDefined);
                }

                break;
            case OperandNode operand:
                isDefined |= operand.Kind
                    is OperandKind.Area or OperandKind.AreaWanNodes or OperandKind.MyAreaWanNodes or OperandKind.External;
                return 1;
        }

        return count;
    }
}

/// <summary>An error in a predicate, and its position.</summary>
/// <param name="Position">The index in the text, from 0, where the error starts; the length of the text when something is missing at the
/// end.</param>
/// <param name="Message">What is wrong and how to correct it.</param>
internal sealed record PredicateError(int Position, string Message)
{
    private const int QuotedCharsMax = 80;

    /// <summary>The error as one line, with its position.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"At {Position}: {Message}");

    /// <summary>A piece of user text, cut short enough to be repeated in an error.</summary>
    internal static string Cut(string text)
    {
        if (text.Length <= QuotedCharsMax)
        {
            return text;
        }

        return text[..(char.IsHighSurrogate(text[QuotedCharsMax - 1]) ? QuotedCharsMax - 1 : QuotedCharsMax)] + "...";
    }
}

/// <summary>Limits on a predicate, which also bound its parsing, binding and evaluation.</summary>
internal static class PredicateLimits
{
    /// <summary>The longest text, in characters.</summary>
    public const int TextCharsMax = 4_096;

    /// <summary>The deepest nesting of operators and parentheses.</summary>
    public const int DepthMax = 64;

    /// <summary>The most operators, sets, operands and numbers in one predicate.</summary>
    public const int NodesMax = 1_024;

    /// <summary>The longest quoted name, in characters.</summary>
    public const int NameCharsMax = 256;

    /// <summary>The greatest number that can be written.</summary>
    public const int NumberMax = 1_000_000;
}

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
