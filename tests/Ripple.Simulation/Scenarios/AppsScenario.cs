using Ripple.Simulation.Runs;
using Ripple.Testing.Cluster;
using Ripple.Testing.Cluster.Applications;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>host</c> with three applications, nodes with interests, filters and labels, two publishers for each application with
/// many calls under way, large values, and waits with predicates of all kinds. One node in four runs the real client, and so do all
/// publishers.
/// </summary>
internal sealed class AppsScenario : IScenario
{
    public const string Name = "apps";

    private const long SecondNs = 1_000_000_000;

    public RunResult Run(ulong seed, ScenarioOptions options) =>
        ClusterRun.Run(seed, Compose(seed, options.Nodes, options.Seconds * SecondNs), options);

    /// <summary>The cluster of a seed.</summary>
    public static ClusterOptions Compose(ulong seed, int nodes, long durationNs) => new()
    {
        Nodes = nodes,
        DurationNs = durationNs,
        QuietEndNs = Math.Min(durationNs / 2, 20 * SecondNs),
        PublishEveryNs = SecondNs * 3 / 2,
        HasRestore = seed % 4 == 0,
        MoreFaults = ClusterFaults.Slow | ClusterFaults.Moments | ClusterFaults.Revocation,
        GroupsMax = seed % 3 == 1 ? 4 : 0,
        RegionMembersMax = seed % 3 == 0 ? 3 : 500,
        RealClientsEvery = ApplicationMix.RealClientsEvery,
        Applications = ApplicationMix.Names,
        PublishersEach = 2,
        TuneNode = ApplicationMix.Tune,
        TunePublisher = ApplicationMix.Tune,
    };
}
