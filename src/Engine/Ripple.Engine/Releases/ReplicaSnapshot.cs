using Ripple.Engine.Frontier;

namespace Ripple.Engine.Releases;

/// <summary>
/// The state of one application that a node keeps on disk: the state accepted last, the newest received one, which differs while a release
/// is rejected or undecided, and what was rejected. With them, the chain position and the values in effect survive a restart. Immutable.
/// </summary>
/// <param name="Applied">The state accepted last; before the first release if there is none.</param>
/// <param name="Received">The newest completely received state; the same object when it was accepted.</param>
/// <param name="Rejections">The rejections of the received state's generation, oldest first; their topics mean nothing.</param>
internal sealed record ReplicaSnapshot(ApplicationState Applied, ApplicationState Received, IReadOnlyList<RejectionRow> Rejections)
{
    /// <summary>A snapshot without rejections.</summary>
    public ReplicaSnapshot(ApplicationState applied, ApplicationState received)
        : this(applied, received, [])
    {
    }
}
