using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// A cluster in which nothing fails, and in which all nodes share a processor that is busy for two thirds. It loses half of its speed for
/// eight seconds, and so does the host's: what a release costs, and how long the backlog lasts, is judged.
/// </summary>
internal sealed class PressureScenario : IScenario
{
    public const string Name = "pressure";

    private const int NodesFactor = 4;
    private const long PublishEveryNs = 250_000_000;

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        ClusterOptions host = HostScenario.OptionsOf(seed, options);
        ClusterOptions cluster = host with
        {
            Nodes = host.Nodes * NodesFactor,
            PublishEveryNs = PublishEveryNs,
            HasFaults = false,
            HasForger = false,
            HasRestore = false,
            GroupsMax = 0,
            RegionMembersMax = seed % 2 == 0 ? 500 : 15,
            HasPressure = true,
            // Of the packets of long values each costs as much as a release here, and when one comes is luck.
            TunePublisher = (_, publisher, _) => publisher.IsBrief = true,
        };
        return ClusterRun.Run(seed, cluster, options);
    }
}
