using Ripple.Gms.Store;

namespace Ripple.Gms.Placement;

/// <summary>
/// The state a host persists at each start before it accepts anything: a slot epoch above all earlier ones. View numbers, key epochs and
/// incarnations consist of it and a counter, so none is ever reused.
/// </summary>
/// <param name="SlotEpoch">This start's epoch.</param>
/// <param name="Batch">The batch to commit first.</param>
internal sealed record GmsStart(uint SlotEpoch, CommitBatch Batch)
{
    /// <summary>
    /// Plans the start from the store's state. The epoch is at least the clock's seconds: a store restored from an older copy does not know
    /// later epochs, but the clock is past them. Order never depends on the clock: if it is wrong, the stored counter decides.
    /// </summary>
    /// <param name="state">The store's state.</param>
    /// <param name="unixMicros">The time of day, in microseconds of Unix time.</param>
    public static GmsStart Plan(HostState state, long unixMicros)
    {
        ArgumentNullException.ThrowIfNull(state);
        uint epoch = Math.Max(state.SlotEpoch + 1, (uint)Math.Clamp(unixMicros / 1_000_000, 0, uint.MaxValue / 2));
        return new GmsStart(epoch, new CommitBatch { SlotEpoch = epoch });
    }
}
