using Ripple.Engine.Regions;
using Ripple.Testing.Checking;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Invariant 4, with one host: the view numbers of a region only grow, even across restarts of the host and restores of its disk. The
/// members of a region are of one zone and have one interest.
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
            if (_newest.TryGetValue(view.RegionId, out RegionView? before)
                && !ReferenceEquals(before, view)
                && view.Number.CompareTo(before.Number) <= 0)
            {
                world.Fail(Name, $"region {view.RegionId:x16} went from view {before.Number} to {view.Number}");
            }

            if (!ReferenceEquals(before, view))
            {
                CheckMembers(view);
            }

            _newest[view.RegionId] = view;
        }
    }

    private void CheckMembers(RegionView view)
    {
        string? first = null;
        foreach (RegionMember member in view.Members)
        {
            if (cluster.Processes.FirstOrDefault(c => c.Machine.Peer.NodeIdLow == member.Node.Low) is { } client)
            {
                first ??= client.RegionWords;
                if (client.RegionWords != first)
                {
                    world.Fail(
                        Name, $"region {view.RegionId:x16} has members with {first}, and {client.Machine} with {client.RegionWords}");
                }
            }
        }
    }
}
