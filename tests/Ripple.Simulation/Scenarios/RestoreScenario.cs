using Ripple.Simulation.Runs;
using Ripple.Testing.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>clients</c> in which every host is restored from a copy of its disk, while some of the nodes and of the publishers are
/// away: those who know more than the host come back before or after those who do not.
/// </summary>
internal sealed class RestoreScenario : IScenario
{
    public const string Name = "restore";

    public RunResult Run(ulong seed, ScenarioOptions options) => ClusterRun.Run(
        seed,
        ClientsScenario.OptionsOf(seed, options) with
        {
            HasRestore = true,
            MoreFaults = ClusterFaults.RestoreWhileAway | ClusterFaults.Slow | ClusterFaults.Moments,
        },
        options);
}
