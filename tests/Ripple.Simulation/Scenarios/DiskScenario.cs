using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>clients</c> in which the disk of the host misbehaves too: it is locked, slow or full, fails in the middle of a flush,
/// and gives values with a flipped bit.
/// </summary>
internal sealed class DiskScenario : IScenario
{
    public const string Name = "disk";

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        ClusterOptions clients = ClientsScenario.OptionsOf(seed, options);
        return ClusterRun.Run(seed, clients with { MoreFaults = clients.MoreFaults | ClusterFaults.HostDisk }, options);
    }
}
