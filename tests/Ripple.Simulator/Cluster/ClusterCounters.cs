using Ripple.Simulator.Checking;

namespace Ripple.Simulator.Cluster;

/// <summary>Has the counters of all machines checked.</summary>
internal static class ClusterCounters
{
    private static readonly HashSet<string> HostGauges =
        ["Members", "Sessions", "GroupMembers", "RoundAgeNsMax", "Leaves", "Parts", "Silent"];

    /// <summary>Adds the checkers.</summary>
    public static void Check(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        _ = new CounterChecker(
            cluster.World,
            cluster.Host.Machine,
            () => cluster.Host.Gms is { } host
                ? [host.Counters, cluster.Host.Machine.Core.Counters, .. host.Streams.Select(s => s.Counters)]
                : [],
            HostGauges);
        foreach (SimulatedClient client in cluster.Processes)
        {
            _ = new CounterChecker(
                cluster.World,
                client.Machine,
                () => [client.Node?.Counters, client.Node?.Region?.Receiver.Counters, client.Node?.Region?.Ring.Counters]);
        }

        _ = new CounterChecker(cluster.World, null, () => [cluster.World.Share.Packets]);
    }
}
