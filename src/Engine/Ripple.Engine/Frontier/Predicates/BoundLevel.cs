namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A set read at one level: one value per element.</summary>
internal sealed class BoundLevel(BoundSet set, int slot) : BoundValue
{
    public override int Count => set.Count;

    public override void Discount(FrontierRow[] members, bool countLeft) => set.Discount(members, countLeft);

    public override void Gather(in EvaluationPass pass, Span<ulong> into, Span<ulong> scratch) => set.Gather(pass, slot, into);
}
