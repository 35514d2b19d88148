namespace Ripple.Gms.Placement;

/// <summary>
/// The epoch that an application's batches are ordered in. An acknowledgement carries the epoch that its batch was asked in; one of another
/// epoch counts for nothing. Core thread.
/// </summary>
internal sealed class CommitFence
{
    private ulong _persisted;

    /// <summary>The epoch whose acknowledgements count; 0 before the first.</summary>
    public uint SlotEpoch { get; private set; }

    /// <summary>
    /// From now on acknowledgements of this epoch count, and of no other. Called when a batch is ordered and none is under way: one that is
    /// asked for in the epoch before is still acknowledged in it.
    /// </summary>
    public void Enter(uint slotEpoch)
    {
        if (slotEpoch != SlotEpoch)
        {
            SlotEpoch = slotEpoch;
            _persisted = 0;
        }
    }

    /// <summary>
    /// Records that a release that was asked for in an epoch is on disk, and all before it; true if it is committed by that.
    /// </summary>
    public bool OnPersisted(uint slotEpoch, ulong release)
    {
        bool isCommitted = slotEpoch == SlotEpoch && release > _persisted;
        _persisted = isCommitted ? release : _persisted;
        return isCommitted;
    }
}
