namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A bound argument of an operator.</summary>
internal abstract class BoundValue
{
    /// <summary>The number of values it yields now; smaller after members were discounted.</summary>
    public abstract int Count { get; }

    /// <summary>Removes members that are gone, unless they keep counting.</summary>
    public abstract void Discount(FrontierRow[] members, bool countLeft);

    /// <summary>Writes the values; <paramref name="scratch"/> may be used freely during the call.</summary>
    public abstract void Gather(in EvaluationPass pass, Span<ulong> into, Span<ulong> scratch);
}
