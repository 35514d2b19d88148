using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Gms.Placement;
using Ripple.Gms.Store;

namespace Ripple.Gms;

/// <summary>
/// Services shared by one host's subsystems: core, store, signer, clock, options, epoch. Created once, when the host starts.
/// </summary>
/// <param name="Core">The host's core.</param>
/// <param name="Store">Access to the disk.</param>
/// <param name="Signer">Access to the signing key.</param>
/// <param name="Completions">Returns answers from other threads to the core.</param>
/// <param name="Clock">The time of day.</param>
/// <param name="Options">The options.</param>
/// <param name="InitialSlotEpoch">The epoch that this host persisted at its start.</param>
internal sealed record HostContext(
    CoreLoop Core,
    IHostStore Store,
    IReleaseSigner Signer,
    ICompletionQueue Completions,
    IWallClock Clock,
    GmsOptions Options,
    uint InitialSlotEpoch)
{
    private static readonly Refusal NotSure = new(
        ErrorCode.Busy,
        "This host is not sure that it still leads: its database has not renewed its lease in time. Nothing was done; try again, and try "
            + "the other hosts.");

    /// <summary>The epoch this host orders in; raised when a node proves a higher one. Core thread.</summary>
    public HostEpoch Epoch { get; } =
        new(InitialSlotEpoch, GmsStart.ClaimedMax(InitialSlotEpoch, Clock.UnixMicros), Store, Completions);

    /// <summary>Whether this host may be sure that no other leads. Default: no other can.</summary>
    public IHostLease Lease { get; init; } = SoleHost.Instance;

    /// <summary>The refusal while it may not be sure.</summary>
    public Refusal? RefuseUnsure() => Lease.IsHeld ? null : NotSure;

    /// <summary>A callback that runs the action with its answer on the core.</summary>
    public Action<T> OnCore<T>(Action<T> action) => answer => Completions.Complete(() => action(answer));
}
