using Ripple.Simulator.Oracles;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// After the faults end, every node is running and joined, has received the newest release the world knows, and has it in effect unless its
/// validators rejected it.
/// </summary>
internal sealed class ConvergenceChecker(SimulatedWorld world, ClusterOracles oracles)
{
    private const string Name = "Convergence";

    /// <summary>Called at the end of the quiet period.</summary>
    public void CheckEnd()
    {
        if (!oracles.Members.IsHostReady)
        {
            world.Fail(Name, "the host does not run at the end");
        }

        foreach (NodeRecord node in oracles.Members.Nodes)
        {
            // Somebody else uses the identity of a captured node, and it may have been expelled.
            if (!node.IsCaptured && oracles.Missing(node) is { } missing)
            {
                world.Fail(Name, $"at the end {missing}", [.. oracles.AboutMissing(node)]);
            }
        }
    }
}
