using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>clients</c> in which every host is restored from a copy of its disk, while some of the nodes and of the publishers are
/// away: those who know more than the host come back before or after those who do not.
/// </summary>
internal sealed class RestoreScenario : IScenario
{
    public const string Name = "restore";

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        ClusterOptions clients = ClientsScenario.OptionsOf(seed, options);
        ClusterOptions cluster = clients with { HasRestore = true, MoreFaults = clients.MoreFaults | ClusterFaults.RestoreWhileAway };
        return ClusterRun.Run(seed, cluster, options);
    }
}
