using Ripple.Engine.Core;
using Ripple.Gms;
using Ripple.Simulation.Runs;
using Ripple.Testing.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// A host and its clients in two zones, publishes and waits, a forger that has the region's key, and a plan of faults: the real engine and
/// the real host logic. Every fourth seed restores the host from an older copy of its disk. Every third has regions of three members, so
/// that the nodes of a zone are in several; another third has multicast, which some nodes cannot take or do not hear.
/// </summary>
internal sealed class HostScenario : IScenario
{
    public const string Name = "host";

    private const long SecondNs = 1_000_000_000;

    private static readonly (string Name, string Checker, PlantedHostBugs Host, PlantedNodeBugs Node)[] Bugs =
    [
        ("DeliverBeforePersisted", "Durability", PlantedHostBugs.DeliverBeforePersisted, PlantedNodeBugs.None),
        ("ForgetPublishIds", "Publishes", PlantedHostBugs.ForgetPublishIds, PlantedNodeBugs.None),
        ("IgnoreExpectedRelease", "Publishes", PlantedHostBugs.IgnoreExpectedRelease, PlantedNodeBugs.None),
        ("WaitHoldsEarly", "Frontier", PlantedHostBugs.WaitHoldsEarly, PlantedNodeBugs.None),
        ("RowsGoBack", "Frontier", PlantedHostBugs.RowsGoBack, PlantedNodeBugs.None),
        ("IgnoreRestore", "Convergence", PlantedHostBugs.IgnoreRestore, PlantedNodeBugs.None),
        ("ViewNumbersStartOver", "Views", PlantedHostBugs.ViewNumbersStartOver, PlantedNodeBugs.None),
        ("UnboundedRecent", "Bounds", PlantedHostBugs.UnboundedRecent, PlantedNodeBugs.None),
        ("SkipSignature", "States", PlantedHostBugs.None, PlantedNodeBugs.SkipSignature),
        ("SkipBodyDigest", "States", PlantedHostBugs.None, PlantedNodeBugs.SkipBodyDigest),
        ("ApplyRejected", "States", PlantedHostBugs.None, PlantedNodeBugs.ApplyRejected),
        ("ReportAppliedEarly", "Frontier", PlantedHostBugs.None, PlantedNodeBugs.ReportAppliedEarly),
        ("ReportPersistedEarly", "Frontier", PlantedHostBugs.None, PlantedNodeBugs.ReportPersistedEarly),
        ("NeverCatchUp", "Convergence", PlantedHostBugs.None, PlantedNodeBugs.NeverCatchUp),
    ];

    public IReadOnlyList<PlantedBug> PlantedBugs { get; } = [.. Bugs.Select(b => new PlantedBug(b.Name, b.Checker))];

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        (string Name, string Checker, PlantedHostBugs Host, PlantedNodeBugs Node) bug =
            Bugs.FirstOrDefault(b => b.Name == options.PlantedBug);
        return ClusterRun.Run(
            seed,
            new ClusterOptions
            {
                Nodes = options.Nodes,
                DurationNs = options.Seconds * SecondNs,
                QuietEndNs = Math.Min(options.Seconds * SecondNs / 2, 20 * SecondNs),
                HasRestore = seed % 4 == 0,
                // Fewer than there are regions: some have unicast alone.
                GroupsMax = seed % 3 == 1 ? 2 : 0,
                RegionMembersMax = seed % 3 == 0 ? 3 : 500,
                HostBugs = bug.Host,
                NodeBugs = bug.Node,
            },
            options);
    }
}
