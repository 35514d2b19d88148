using Ripple.Simulation.Runs;
using Ripple.Testing.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>clients</c> in which wall clocks jump by up to days, back and ahead, monotonic clocks drift, and machines are slow for a
/// while.
/// </summary>
internal sealed class ClockScenario : IScenario
{
    public const string Name = "clock";

    public RunResult Run(ulong seed, ScenarioOptions options) => ClusterRun.Run(
        seed,
        ClientsScenario.OptionsOf(seed, options) with { MoreFaults = ClusterFaults.Clock | ClusterFaults.Slow | ClusterFaults.Moments },
        options);
}
