using Ripple.Engine.Core;
using Ripple.Gms.Store;

namespace Ripple.Gms.Placement;

/// <summary>
/// The slot epoch that a host orders in, and what is counted within it. An epoch is persisted before it is used, so no view number, key
/// epoch or incarnation is given twice. Core thread.
/// </summary>
/// <param name="value">The epoch that this host persisted at its start.</param>
/// <param name="store">Where a higher one is persisted.</param>
/// <param name="completions">Brings the store's answers back to the core.</param>
internal sealed class HostEpoch(uint value, IHostStore store, ICompletionQueue completions)
{
    /// <summary>
    /// The most by which a node's word alone raises the epoch. A true one is at most the restarts since a backup above ours; a larger one
    /// is a lie that would use the numbers up.
    /// </summary>
    private const uint LeapMax = 65_536;

    private uint _incarnations;

    /// <summary>The epoch now.</summary>
    public uint Value { get; private set; } = value;

    /// <summary>Whether a node that has seen this epoch needs a higher one of this host, and may have it.</summary>
    public bool MustExceed(uint seen) => seen >= Value && seen - Value <= LeapMax;

    /// <summary>An incarnation that nobody had before.</summary>
    public ulong NextIncarnation() => ((ulong)Value << 32) | checked(++_incarnations);

    /// <summary>
    /// Raises the epoch; <paramref name="then"/> runs once this one or a higher one is persisted, and not at all when the store refuses.
    /// False when the store has no room for it now.
    /// </summary>
    public bool TryRaise(uint epoch, Action then)
    {
        ArgumentNullException.ThrowIfNull(then);
        return store.Commit(new CommitBatch { SlotEpoch = epoch }, result => completions.Complete(() =>
        {
            if (result.IsDone)
            {
                Value = Math.Max(Value, epoch);
                then();
            }
            else if (epoch <= Value)
            {
                // Another raise was faster.
                then();
            }
        }));
    }
}
