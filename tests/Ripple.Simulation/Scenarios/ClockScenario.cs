using Ripple.Simulation.Runs;
using Ripple.Testing.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>clients</c> in which wall clocks jump by up to days, back and ahead, and monotonic clocks drift, also while some of the
/// nodes are away from a restore.
/// </summary>
internal sealed class ClockScenario : IScenario
{
    public const string Name = "clock";

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        ClusterOptions clients = ClientsScenario.OptionsOf(seed, options);
        ClusterOptions cluster = clients with
        {
            MoreFaults = clients.MoreFaults | ClusterFaults.Clock | ClusterFaults.RestoreWhileAway,
        };
        return ClusterRun.Run(seed, cluster, options);
    }
}
