using Ripple.Engine.Releases;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// After the faults end, every node is running and joined, has received the host's committed state, and has it in effect unless the node
/// rejects it.
/// </summary>
internal sealed class ConvergenceChecker(SimulatedWorld world, SimulatedCluster cluster)
{
    private const string Name = "Convergence";

    /// <summary>Called at the end of the quiet period.</summary>
    public void CheckEnd()
    {
        if (cluster.Host.Gms?.Find(SimulatedCluster.Application) is not { } primary)
        {
            world.Fail(Name, "the host does not run at the end");
            return;
        }

        ReleaseState committed = primary.Committed;
        foreach (SimulatedClient client in cluster.Clients)
        {
            if (client.Node is not { IsJoined: true } node || !client.Machine.IsRunning)
            {
                world.Fail(Name, $"{client.Machine} is not joined at the end");
                return;
            }

            ApplicationReplica replica = node.Find(SimulatedCluster.Application)!;
            ReleaseState received = replica.Received.Keys;
            if (received.Id != committed.Id)
            {
                world.Fail(
                    Name,
                    $"{client.Machine} is at {received.Generation}/{received.Release} {received.Id}, the host at "
                        + $"{committed.Generation}/{committed.Release} {committed.Id}; verified are releases up to {replica.Head.Release}, "
                        + $"{replica.PendingCount} are not yet");
            }

            if (replica.Applied.Keys.Id != committed.Id && replica.RejectedRelease != committed.Release)
            {
                world.Fail(
                    Name,
                    $"{client.Machine} has {replica.Applied.Keys.Release} in effect, the host has {committed.Release}, "
                        + $"and it rejected {replica.RejectedRelease}");
            }
        }
    }
}
