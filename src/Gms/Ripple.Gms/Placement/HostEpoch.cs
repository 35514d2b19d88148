using Ripple.Engine.Core;
using Ripple.Gms.Store;

namespace Ripple.Gms.Placement;

/// <summary>
/// The slot epoch that a host orders in, and the counters within it. An epoch is persisted before use, so no view number, key epoch or
/// incarnation is ever reused. Core thread.
/// </summary>
/// <param name="value">The epoch that this host persisted at its start.</param>
/// <param name="store">Persists higher epochs.</param>
/// <param name="completions">Returns the store's answers to the core.</param>
internal sealed class HostEpoch(uint value, IHostStore store, ICompletionQueue completions)
{
    /// <summary>
    /// The most that an unproven claim of a node may raise the epoch by. A true epoch exceeds ours at most by the restarts since a backup;
    /// a larger gap is a lie that would use up the numbers.
    /// </summary>
    private const uint LeapMax = 65_536;

    private uint _incarnations;

    /// <summary>The current epoch.</summary>
    public uint Value { get; private set; } = value;

    /// <summary>True if this host must raise its epoch above the one a node has seen, and the gap is plausible.</summary>
    public bool MustExceed(uint seen) => seen >= Value && seen - Value <= LeapMax;

    /// <summary>Returns an incarnation that was never used before.</summary>
    public ulong NextIncarnation() => ((ulong)Value << 32) | checked(++_incarnations);

    /// <summary>
    /// Raises the epoch; <paramref name="then"/> runs once this epoch or a higher one is persisted, and never if the store refuses. False
    /// if the store's queue is full.
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
                // A concurrent raise already persisted a higher epoch.
                then();
            }
        }));
    }
}
