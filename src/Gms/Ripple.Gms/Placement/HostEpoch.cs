using Ripple.Engine.Core;
using Ripple.Gms.Store;

namespace Ripple.Gms.Placement;

/// <summary>
/// The slot epoch that a host orders in, and the counters within it. An epoch is persisted before use, so no view number, key epoch or
/// incarnation is ever reused. Core thread.
/// </summary>
/// <param name="value">The epoch that this host persisted at its start.</param>
/// <param name="claimedMax">The highest epoch that unproven claims of nodes may raise it to; see <see cref="GmsStart.ClaimedMax"/>.</param>
/// <param name="store">Persists higher epochs.</param>
/// <param name="completions">Returns the store's answers to the core.</param>
internal sealed class HostEpoch(uint value, uint claimedMax, IHostStore store, ICompletionQueue completions)
{
    /// <summary>Marks the incarnations of hosts; counters of members stay below.</summary>
    private const uint HostBit = 0x8000_0000;

    private uint _incarnations;
    private ulong _host;

    /// <summary>The current epoch.</summary>
    public uint Value { get; private set; } = value;

    /// <summary>The highest epoch that unproven claims may raise it to, all of them together.</summary>
    public uint ClaimedMax { get; private set; } = claimedMax;

    /// <summary>
    /// True if this host must raise its epoch above the one a node has seen: another run of a host gave it, so this run may give its
    /// numbers again. A claim above <see cref="ClaimedMax"/> counts for nothing; see <see cref="IsAbsurd"/>.
    /// </summary>
    /// <param name="seen">The highest epoch the node has seen.</param>
    /// <param name="hostIncarnation">The incarnation of the host that gave it.</param>
    public bool MustExceed(uint seen, ulong hostIncarnation) =>
        (seen > Value || (seen == Value && hostIncarnation != _host)) && !IsAbsurd(seen);

    /// <summary>
    /// True if the claim to have seen an epoch needs a proof: with so many raises since a backup, or a clock so far ahead, only a signed
    /// header is believed. Otherwise a node could use up the numbers.
    /// </summary>
    public bool IsAbsurd(uint seen) => seen >= Value && seen >= ClaimedMax;

    /// <summary>
    /// Returns this run's own incarnation. It has a random part: a host restored within the second of an earlier start has the same epoch,
    /// and must not be taken for that one.
    /// </summary>
    public ulong TakeHostIncarnation(DeterministicRandom random)
    {
        return _host = ((ulong)Value << 32) | HostBit | (uint)random.NextInt64(HostBit);
    }

    /// <summary>Returns an incarnation that was never used before.</summary>
    public ulong NextIncarnation() => ((ulong)Value << 32) | (uint)checked((int)++_incarnations);

    /// <summary>
    /// Raises the epoch above one that was seen; <paramref name="then"/> runs once a higher one is persisted, and never if the store
    /// refuses. False if the store's queue is full.
    /// </summary>
    /// <param name="seen">The epoch to exceed. There is none above the last number: then it stays.</param>
    /// <param name="isProved">Whether a signed header has that epoch.</param>
    /// <param name="then">What needs the higher epoch.</param>
    public bool TryExceed(uint seen, bool isProved, Action then)
    {
        if (seen < Value || seen == uint.MaxValue)
        {
            then();
            return true;
        }

        uint epoch = seen + 1;
        return store.Commit(new CommitBatch { SlotEpoch = epoch }, result => completions.Complete(() =>
        {
            if (result.IsDone)
            {
                Value = Math.Max(Value, epoch);
                ClaimedMax = isProved ? Math.Max(ClaimedMax, GmsStart.ClaimedMax(epoch, 0)) : ClaimedMax;
            }

            // If the store refused, a raise asked for before this one may have persisted a higher epoch.
            if (epoch <= Value)
            {
                then();
            }
        }));
    }
}
