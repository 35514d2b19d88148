using Ripple.Simulation.Runs;
using Ripple.Testing.Cluster;
using Ripple.Testing.Oracles;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>host</c> in which every second node and the publisher run the real client of the SDK, on disks that fail; the publisher
/// also rolls back and reads, with many calls under way.
/// </summary>
internal sealed class ClientsScenario : IScenario
{
    public const string Name = "clients";

    private const long SecondNs = 1_000_000_000;

    public RunResult Run(ulong seed, ScenarioOptions options) => ClusterRun.Run(seed, OptionsOf(seed, options), options);

    /// <summary>The cluster of a seed.</summary>
    public static ClusterOptions OptionsOf(ulong seed, ScenarioOptions options) => new()
    {
        Nodes = options.Nodes,
        DurationNs = options.Seconds * SecondNs,
        QuietEndNs = Math.Min(options.Seconds * SecondNs / 2, 20 * SecondNs),
        HasRestore = seed % 4 == 0,
        MoreFaults = ClusterFaults.Slow | ClusterFaults.Moments | ClusterFaults.Revocation,
        GroupsMax = seed % 3 == 1 ? 2 : 0,
        RegionMembersMax = seed % 3 == 0 ? 3 : 500,
        RealClientsEvery = 2,
        Judges = Judges.Repeats,
    };
}
