using Ripple.Simulation.Runs;
using Ripple.Testing.Cluster;
using Ripple.Testing.Disks;
using Ripple.Testing.Oracles;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// A host is restored from a copy of its disk while all nodes are away, and gives the numbers of the lost releases again, up to the newest
/// of them, before the nodes come back; nothing else goes wrong. In half of the seeds the whole directory is a copy; in the others the host
/// notices that its store is one. In turns with imitated nodes and with real clients.
/// </summary>
internal sealed class ForkScenario : IScenario
{
    public const string Name = "fork";

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        ClusterOptions cluster = seed % 3 == 0 ? ClientsScenario.OptionsOf(seed, options) : HostScenario.OptionsOf(seed, options);
        // Where the mark is copied with the disk, nothing but the nodes tells the host, and what it committed before they came is a fork.
        bool isUnnoticed = seed % 2 == 0;
        cluster = cluster with
        {
            HasFaults = false,
            HasForger = false,
            Forks = true,
            ComparesStore = true,
            RestoredMark = isUnnoticed ? MarkFate.Copied : null,
            Judges = isUnnoticed ? cluster.Judges & ~(Judges.Repeats | Judges.Content | Judges.Expectations) : cluster.Judges,
        };
        return ClusterRun.Run(seed, cluster, options);
    }
}
