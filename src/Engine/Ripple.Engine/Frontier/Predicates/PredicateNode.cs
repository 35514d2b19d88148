using System.Text;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A part of a parsed predicate. Immutable.</summary>
/// <param name="Position">Where it starts in the text.</param>
internal abstract record PredicateNode(int Position)
{
    /// <summary>Writes the canonical text.</summary>
    public abstract void Write(StringBuilder text);

    /// <summary>The canonical text, cut short enough for an error.</summary>
    public string Describe()
    {
        StringBuilder text = new();
        Write(text);
        return PredicateError.Cut(text.ToString());
    }
}
