using Ripple.Engine.Caching;
using Ripple.Engine.Nodes;
using Ripple.Engine.Rings;
using Ripple.Engine.Streams;
using Ripple.Gms;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>host</c> with every window, memory, key lifetime and queue made small: wraps, overflows, stalls, key changes, batches
/// of many, snapshots and forgotten views and commits happen within a minute.
/// </summary>
internal sealed class SmallScenario : IScenario
{
    public const string Name = "small";

    private const long SecondNs = 1_000_000_000;

    private static readonly StreamOptions Stream = StreamOptions.Default with { WindowPackets = 64, ViewsKept = 2, RepairsMax = 16 };

    private static readonly HostLimits Host = HostLimits.Default with
    {
        Stream = Stream,
        PartMembers = 2,
        AggregateDatagramsMax = 2,
        CacheOwners = 1,
        KeyPacketsMax = 5_000,
        CommitsKept = 8,
        PrunedReleasesMax = 4,
        GoneRowsMax = 4,
        BatchReleasesMax = 4,
        PublishesWaitingMax = 8,
    };

    private static readonly NodeLimits Node = NodeLimits.Default with
    {
        Stream = Stream,
        Ring = RingOptions.Default with { LagExactMax = 3 },
        Caching = CachingOptions.Default with { BytesMax = 6_000, RepairsMax = 4, WaitingMax = 4 },
        KeyPacketsMax = 5_000,
        StagedMax = 8,
        CallsMax = 8,
    };

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        ClusterOptions host = HostScenario.OptionsOf(seed, options);
        ClusterOptions cluster = host with
        {
            PublishEveryNs = SecondNs / 10,
            MoreFaults = host.MoreFaults | ClusterFaults.RestoreWhileAway,
            TuneHost = o => o with { KeyLifetimeNs = 5 * SecondNs, CatchUpReleasesMax = 8, HistoryReleasesMax = 24, Limits = Host },
            NodeLimits = Node,
            ComparesStore = true,
        };
        return ClusterRun.Run(seed, cluster, options);
    }
}
