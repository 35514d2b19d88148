using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

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
        OperandCount = Operands(root);
    }

    /// <summary>The original text, to which error positions refer.</summary>
    public string Text { get; }

    /// <summary>
    /// True when it reads a level that requires direct reports (.direct); a host that waits for it may request such reports from members.
    /// </summary>
    public bool NeedsDirect { get; }

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
        ArgumentNullException.ThrowIfNull(context);
        return PredicateBinder.TryBind(this, _root, context, out bound, out error);
    }

    /// <summary>
    /// The canonical text: identical for predicates that differ only in spaces, case of words and unnecessary parentheses. Parses to the
    /// same predicate.
    /// </summary>
    public override string ToString() => _canonical;

    private static int Operands(PredicateNode? node) => node switch
    {
        OperatorNode operation => Operands(operation.Count) + operation.Arguments.Sum(Operands),
        LevelNode level => Operands(level.Set),
        SizeOfNode size => Operands(size.Set),
        ArithmeticNode arithmetic => Operands(arithmetic.Left) + Operands(arithmetic.Right),
        DifferenceNode difference => Operands(difference.First) + difference.Removed.Sum(Operands),
        OperandNode => 1,
        _ => 0,
    };
}
