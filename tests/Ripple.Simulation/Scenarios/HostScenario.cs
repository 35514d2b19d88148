using Ripple.Gms;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Oracles;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// A host and its clients in two zones, publishes and waits, a forger that has the region's key, and a plan of faults: the real engine and
/// the real host logic. Every fourth seed restores the host from an older copy of its disk. Every third has regions of three members, so
/// that the nodes of a zone are in several; another third has multicast, which some nodes cannot take or do not hear. In every second seed
/// views have parts of two members and more, in every fourth one leader tells of two parts. Two of three have members that keep packets for
/// others, one or two of them each. In three of five every second member may be a leaf, and in one of these the window is so small that who
/// lacks a release soon holds the others up.
/// </summary>
internal sealed class HostScenario : IScenario
{
    public const string Name = "host";

    private const long SecondNs = 1_000_000_000;

    public RunResult Run(ulong seed, ScenarioOptions options) => ClusterRun.Run(seed, OptionsOf(seed, options), options);

    /// <summary>The cluster of a seed; the other scenarios with clusters change some of it.</summary>
    public static ClusterOptions OptionsOf(ulong seed, ScenarioOptions options) => new()
    {
        Nodes = options.Nodes,
        DurationNs = options.Seconds * SecondNs,
        QuietEndNs = Math.Min(options.Seconds * SecondNs / 2, 20 * SecondNs),
        HasRestore = seed % 4 == 0,
        MoreFaults = ClusterFaults.Slow | ClusterFaults.Moments | ClusterFaults.Revocation | ClusterFaults.Deaf,
        // Fewer than there are regions: some have unicast alone.
        GroupsMax = seed % 3 == 1 ? 2 : 0,
        RegionMembersMax = seed % 3 == 0 ? 3 : 500,
        PartMembers = seed % 2 == 0 ? 2 : null,
        AggregateDatagramsMax = seed % 4 == 0 ? 2 : null,
        CacheOwners = (int)(seed / 2 % 3),
        MembersPerLeaf = seed % 5 < 3 ? 2 : null,
        TuneHost = seed % 5 == 1 ? HasSmallWindow : null,
        Judges = Judges.Content
            | Judges.Expectations
            | Judges.Repeats
            | Judges.Superseded
            | Judges.WaitsOverRestarts
            | Judges.NoTime,
    };

    /// <summary>A window that the releases of a second fill, so that who lacks one holds the others up.</summary>
    private static GmsOptions HasSmallWindow(GmsOptions options) => options with
    {
        Limits = options.Limits with { Stream = options.Limits.Stream with { WindowPackets = 8 } },
    };
}
