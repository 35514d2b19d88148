using Ripple.Gms.Store;

namespace Ripple.Gms.Membership;

/// <summary>What a host persists at each start, before it accepts anything: a slot epoch above all before, and a block of incarnations.</summary>
/// <param name="SlotEpoch">This start's epoch.</param>
/// <param name="Incarnations">This start's incarnations.</param>
/// <param name="Batch">To be committed first.</param>
public sealed record GmsStart(uint SlotEpoch, IncarnationBlock Incarnations, CommitBatch Batch)
{
    /// <summary>Plans the start from what the store holds.</summary>
    public static GmsStart Plan(HostState state)
    {
        ArgumentNullException.ThrowIfNull(state);
        uint epoch = state.SlotEpoch + 1;
        ulong reserved = state.IncarnationCounter + IncarnationBlock.Size;
        return new GmsStart(
            epoch,
            new IncarnationBlock(state.IncarnationCounter, reserved),
            new CommitBatch { SlotEpoch = epoch, IncarnationCounter = reserved });
    }
}
