using Ripple.Gms.Store;

namespace Ripple.Gms.Placement;

/// <summary>
/// What a host persists at each start, before it accepts anything: a slot epoch above all before. View numbers, key epochs and incarnations
/// are made of it and a counter, so none of them is given twice.
/// </summary>
/// <param name="SlotEpoch">This start's epoch.</param>
/// <param name="Batch">To be committed first.</param>
internal sealed record GmsStart(uint SlotEpoch, CommitBatch Batch)
{
    /// <summary>
    /// Plans the start from what the store holds. The epoch is also at least the seconds of the clock: a store restored from an older copy
    /// does not know the epochs that came after it, but the clock is past them. Order never depends on the clock: if it is wrong, the
    /// stored counter decides.
    /// </summary>
    /// <param name="state">What the store holds.</param>
    /// <param name="unixMicros">The time of day, in microseconds of Unix time.</param>
    public static GmsStart Plan(HostState state, long unixMicros)
    {
        ArgumentNullException.ThrowIfNull(state);
        uint epoch = Math.Max(state.SlotEpoch + 1, (uint)Math.Clamp(unixMicros / 1_000_000, 0, uint.MaxValue / 2));
        return new GmsStart(epoch, new CommitBatch { SlotEpoch = epoch });
    }
}
