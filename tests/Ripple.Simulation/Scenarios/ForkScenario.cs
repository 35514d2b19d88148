using Ripple.Simulation.Runs;
using Ripple.Testing.Cluster;
using Ripple.Testing.Oracles;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// A host is restored from a copy of its disk while all nodes are away, and gives the numbers of the lost releases again, up to the newest
/// of them, before the nodes come back; nothing else goes wrong. In turns with imitated nodes and with real clients.
/// </summary>
internal sealed class ForkScenario : IScenario
{
    public const string Name = "fork";

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        ClusterOptions cluster = seed % 3 == 0 ? ClientsScenario.OptionsOf(seed, options) : HostScenario.OptionsOf(seed, options);
        // A publish whose release was lost is released again: a known fault, which the scenario restore finds.
        cluster = cluster with
        {
            HasFaults = false,
            HasForger = false,
            Forks = true,
            ComparesStore = true,
            Judges = cluster.Judges & ~Judges.Repeats,
        };
        return ClusterRun.Run(seed, cluster, options);
    }
}
