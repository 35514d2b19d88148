using System.Globalization;
using Ripple.Gms.Store;

namespace Ripple.Gms.Placement;

/// <summary>
/// The state a host persists at each start before it accepts anything: a slot epoch above all earlier ones. View numbers and incarnations
/// consist of it and a counter, so none is ever reused. Key epochs begin at it and go on by one: a start within the second of such a change
/// may give one again, for another key.
/// </summary>
/// <param name="SlotEpoch">This start's epoch.</param>
/// <param name="Batch">The batch to commit first.</param>
internal sealed record GmsStart(uint SlotEpoch, CommitBatch Batch)
{
    /// <summary>The action in the audit of a start on a copy.</summary>
    public const string CopyAction = "store.restore";

    /// <summary>How far above the clock the epochs may be that nodes claim to have seen: room for clocks that differ.</summary>
    private const uint ClaimedSeconds = 86_400;

    /// <summary>How far above a start's epoch they may be at least, if the clock is behind: the starts and raises since a backup.</summary>
    private const uint ClaimedRaises = 1_024;

    /// <summary>
    /// Plans the start from the store's state. The epoch is at least the clock's seconds: a store restored from an older copy does not know
    /// later epochs, but the clock is past them. Order never depends on the clock: if it is wrong, the stored counter decides.
    /// </summary>
    /// <param name="state">The store's state.</param>
    /// <param name="unixMicros">The time of day, in microseconds of Unix time.</param>
    /// <exception cref="StoreException">The store has the last epoch there is.</exception>
    public static GmsStart Plan(HostState state, long unixMicros)
    {
        if (state.SlotEpoch == uint.MaxValue)
        {
            throw new StoreException(string.Create(
                CultureInfo.InvariantCulture,
                $"The store has the slot epoch {state.SlotEpoch}, the last there is, so that no start can have one above it. "
                    + $"Only a false claim that an earlier version believed brings it there. "
                    + $"Run 'ripple-host restore --reset-epoch' on its directory, then start the host."));
        }

        uint epoch = Math.Max(state.SlotEpoch + 1, SecondsOf(unixMicros));
        return state.Copy is { } copy
            ? PlanCopy(state, copy, epoch, unixMicros)
            : new GmsStart(epoch, new CommitBatch { SlotEpoch = epoch });
    }

    /// <summary>
    /// The highest epoch that claims without a proof may bring a run of a host to, all of them together: a day above the clock, or, where
    /// the clock is behind, a little above the run's own epoch.
    /// </summary>
    /// <param name="slotEpoch">The epoch that the run began with.</param>
    /// <param name="unixMicros">The time of day when it began.</param>
    public static uint ClaimedMax(uint slotEpoch, long unixMicros) =>
        Math.Max(SecondsOf(unixMicros) + ClaimedSeconds, (uint)Math.Min((ulong)slotEpoch + ClaimedRaises, uint.MaxValue));

    /// <summary>
    /// A start on a copy: every application goes on in a generation above all that are known to be used, before anything else is committed.
    /// </summary>
    private static GmsStart PlanCopy(HostState state, StoreCopy copy, uint epoch, long unixMicros)
    {
        uint above = Math.Max(epoch, (uint)Math.Min((ulong)copy.SlotEpoch + 1, uint.MaxValue));
        uint used = state.Applications.Select(a => a.Generation).Append(state.GenerationMin).Append(copy.Generation).Max();
        uint generation = checked(used + 1);
        string detail = string.Create(
            CultureInfo.InvariantCulture, $"the store is a copy: {copy.Reason}; every application goes on in generation {generation}");
        return new GmsStart(above, new CommitBatch
        {
            SlotEpoch = above,
            GenerationMin = generation,
            Audit = [new AuditEntry(unixMicros, "host", CopyAction, null, null, detail)],
        });
    }

    /// <summary>The clock's seconds. A clock far in the future leaves half of the numbers.</summary>
    private static uint SecondsOf(long unixMicros) => (uint)Math.Clamp(unixMicros / 1_000_000, 0, uint.MaxValue / 2);
}
