using Ripple.Engine.Frontier;

namespace Ripple.Gms.Placement;

/// <summary>
/// The commit predicate of the epoch that an application's batches are ordered in. An acknowledgement carries the epoch that its batch was
/// asked in; one of another epoch counts for nothing. Core thread.
/// </summary>
/// <param name="application">The application.</param>
/// <param name="replica">Makes this host's record as a replica of an epoch.</param>
internal sealed class CommitFence(string application, Func<uint, FrontierMember> replica)
{
    private CommitPredicate? _predicate;

    /// <summary>The epoch whose acknowledgements count; 0 before the first.</summary>
    public uint SlotEpoch => _predicate?.SlotEpoch ?? 0;

    /// <summary>
    /// From now on acknowledgements of this epoch count, and of no other. Called when a batch is ordered and none is under way: one that is
    /// asked for in the epoch before is still acknowledged in it.
    /// </summary>
    public void Enter(uint slotEpoch)
    {
        if (slotEpoch != SlotEpoch)
        {
            _predicate = new CommitPredicate(application, slotEpoch, [replica(slotEpoch)]);
        }
    }

    /// <summary>Records that this replica has a release on disk that was asked for in an epoch; true if it is committed by that.</summary>
    public bool OnPersisted(uint slotEpoch, ulong release) => _predicate?.OnPersisted(LocalReplica.Node, slotEpoch, release) == true;
}
