using Ripple.Engine.Releases;
using Ripple.Gms.Store;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Invariant 2 with one replica: at each start, the disk holds the newest committed release or a later one, unless it was restored from an
/// older copy.
/// </summary>
internal sealed class DurabilityChecker(SimulatedWorld world, ReferenceHistory reference)
{
    private const string Name = "Durability";
    private bool _isRestored;

    /// <summary>Called when a publisher is told that its release is committed.</summary>
    public void OnAcknowledged(Digest160 id)
    {
        if (!reference.Contains(id))
        {
            world.Fail(Name, $"a publish was acknowledged as {id}, which was never committed");
        }
    }

    /// <summary>Called when the disk is replaced by an older copy, which ends the check.</summary>
    public void OnRestored() => _isRestored = true;

    /// <summary>Called when the host starts, with the state loaded.</summary>
    public void OnLoaded(HostState state)
    {
        ArgumentNullException.ThrowIfNull(state);
        if (_isRestored)
        {
            return;
        }

        foreach (StoredApplication application in state.Applications)
        {
            ulong delivered = reference.NewestOf(application.Name)?.Release ?? 0;
            ulong held = application.Newest?.Release ?? 0;
            if (held < delivered)
            {
                world.Fail(Name, $"{application.Name} was delivered up to release {delivered}; after a crash the disk holds {held}");
            }

            if (held == delivered && held > 0 && application.Newest!.Id != reference.NewestOf(application.Name)!.Id)
            {
                world.Fail(Name, $"release {held} of {application.Name} is another one after a crash");
            }
        }
    }
}
