namespace Ripple.Engine.Frontier.Predicates;

/// <summary>One evaluation: over the current values, or over the values still reachable.</summary>
internal readonly struct EvaluationPass(FrontierRow[] rows, bool isUpperBound, ulong release)
{
    public ulong Read(int row, int slot)
    {
        FrontierRow at = rows[row];
        return isUpperBound && at.CanReach(slot, release) ? ulong.MaxValue : at.CountedAt(slot);
    }
}
