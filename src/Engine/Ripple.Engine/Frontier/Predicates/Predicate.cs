using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>
/// A parsed stability predicate: which release is stable enough, as a function of who has what. Made by <see cref="PredicateParser"/>.
/// Immutable; any thread.
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
    }

    /// <summary>The text as it was written; positions of errors are in it.</summary>
    public string Text { get; }

    /// <summary>True when it reads a level that must be told directly (.direct): whoever waits may ask members for such reports.</summary>
    public bool NeedsDirect { get; }

    /// <summary>
    /// Binds to members, so that it can be evaluated. False when a set is empty, a level is unknown or a k is out of range.
    /// </summary>
    public bool TryBind(
        BindingContext context, [NotNullWhen(true)] out BoundPredicate? bound, [NotNullWhen(false)] out PredicateError? error)
    {
        ArgumentNullException.ThrowIfNull(context);
        return PredicateBinder.TryBind(this, _root, context, out bound, out error);
    }

    /// <summary>
    /// The canonical text: one form for all that differ in spaces, case of words and needless parentheses. Parses to the same predicate.
    /// </summary>
    public override string ToString() => _canonical;
}
