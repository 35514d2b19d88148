using Ripple.Engine.Regions;
using Ripple.Testing.Checking;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Invariant 4, with one host: the view numbers of a region only grow, even across restarts of the host and restores of its disk.
/// </summary>
internal sealed class ViewChecker(SimulatedWorld world, SimulatedCluster cluster) : IChecker
{
    private readonly SortedDictionary<ulong, RegionView> _newest = [];

    /// <inheritdoc/>
    public string Name => "Views";

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (cluster.Host.Gms is not { } gms)
        {
            return;
        }

        foreach (RegionView view in gms.Views)
        {
            // A view without members was never announced.
            if (view.Members.Length == 0)
            {
                continue;
            }

            if (_newest.TryGetValue(view.RegionId, out RegionView? before)
                && !ReferenceEquals(before, view)
                && view.Number.CompareTo(before.Number) <= 0)
            {
                world.Fail(Name, $"region {view.RegionId:x16} went from view {before.Number} to {view.Number}");
            }

            _newest[view.RegionId] = view;
        }
    }
}
