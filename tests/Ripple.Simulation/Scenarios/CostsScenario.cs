using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Oracles.Costs;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// A cluster in which one thing goes wrong, or none, so that its cost is known: what takes longer than it must, what is sent twice, and who
/// works while there is nothing to do, is found though nothing is lost by it. In turns with imitated nodes, with real clients, and with
/// several applications.
/// </summary>
internal sealed class CostsScenario : IScenario
{
    public const string Name = "costs";

    public RunResult Run(ulong seed, ScenarioOptions options) => ClusterRun.Run(seed, OptionsOf(seed, options), options);

    /// <summary>The cluster of a seed.</summary>
    public static ClusterOptions OptionsOf(ulong seed, ScenarioOptions options)
    {
        ClusterOptions cluster = (seed / 4 % 3) switch
        {
            // With the window of the product: none is full in these runs.
            0 => HostScenario.OptionsOf(seed, options) with { TuneHost = null },
            1 => ClientsScenario.OptionsOf(seed, options) with { TuneHost = null },
            _ => AppsScenario.OptionsOf(seed, options),
        };
        return cluster with
        {
            HasFaults = false,
            HasForger = false,
            HasRestore = false,
            Judges = cluster.Judges | Judges.Staleness,
            Costs = (CostEvent)(seed % 4),
            ComparesStore = true,
            // What is measured are releases, and no calls.
            WatchesHistory = false,
        };
    }
}
