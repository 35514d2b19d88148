using Ripple.Engine.Core;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms;

/// <summary>What the parts of one host share: the core, the doors, the options. Made once by the host.</summary>
/// <param name="Core">The host's core.</param>
/// <param name="Store">The door to the disk.</param>
/// <param name="Signer">The door to the signing key.</param>
/// <param name="Preparer">The door to the work on publishes.</param>
/// <param name="Completions">Brings completions back to the core.</param>
/// <param name="Clock">The time of day.</param>
/// <param name="Options">The options.</param>
/// <param name="InitialSlotEpoch">The epoch this host persisted at its start; raised when a node proves a higher one.</param>
public sealed record HostContext(
    CoreLoop Core,
    IHostStore Store,
    IReleaseSigner Signer,
    IPublishPreparer Preparer,
    ICompletionQueue Completions,
    IWallClock Clock,
    GmsOptions Options,
    uint InitialSlotEpoch)
{
    /// <summary>The epoch this host orders in: persisted before it is set. Core thread.</summary>
    public uint SlotEpoch { get; set; } = InitialSlotEpoch;

    /// <summary>True when the simulator has this rule broken.</summary>
    public bool Breaks(PlantedHostBugs bug) => (Options.Bugs & bug) != 0;

    /// <summary>A callback for a door that brings its answer back to the core.</summary>
    public Action<T> OnCore<T>(Action<T> action) => answer => Completions.Complete(() => action(answer));
}
