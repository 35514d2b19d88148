using Ripple.Simulation.Runs;
using Ripple.Testing.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>clients</c> in which the disk of the host misbehaves too: it is locked, slow or full, fails in the middle of a flush,
/// and gives values with a flipped bit. Machines are slow for a while.
/// </summary>
internal sealed class DiskScenario : IScenario
{
    public const string Name = "disk";

    public RunResult Run(ulong seed, ScenarioOptions options) => ClusterRun.Run(
        seed,
        ClientsScenario.OptionsOf(seed, options) with { MoreFaults = ClusterFaults.HostDisk | ClusterFaults.Slow | ClusterFaults.Moments },
        options);
}
