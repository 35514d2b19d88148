namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A bound argument of an operator.</summary>
internal abstract class BoundValue
{
    /// <summary>How many values it gives now: fewer after members were discounted.</summary>
    public abstract int Count { get; }

    /// <summary>Takes out members that are gone, unless they keep counting.</summary>
    public abstract void Discount(FrontierRow[] members, bool countLeft);

    /// <summary>Writes the values; <paramref name="scratch"/> is free for use meanwhile.</summary>
    public abstract void Gather(in EvaluationPass pass, Span<ulong> into, Span<ulong> scratch);
}
