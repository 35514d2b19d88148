using Ripple.Gms;
using Ripple.Gms.Core;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// The gauges of a host, its streams, regions and frontiers, read after each of its turns. Bounds that no option sets are numbers here, so
/// that a bound that the product loses is seen.
/// </summary>
internal static class HostGauges
{
    private const int MessageBytesMax = 80 * 1_024;
    private const int WaitsMax = 4_096;
    private const int SessionsOver = 64;
    private const long UploadBytesMax = 256L * 1_024 * 1_024;

    /// <summary>Registers the gauges of a host that is ready.</summary>
    public static void Register(BoundsChecker bounds, SimulatedCluster cluster, HostCore gms)
    {
        ArgumentNullException.ThrowIfNull(bounds);
        ArgumentNullException.ThrowIfNull(cluster);
        ArgumentNullException.ThrowIfNull(gms);
        SimulatedMachine machine = cluster.Host.Machine;
        GmsOptions options = cluster.Host.Options;
        foreach (ApplicationPrimary primary in gms.Applications)
        {
            RegisterApplication(bounds, primary, gms.FrontierOf(primary.Name)!, options, machine);
        }

        bounds.Register(
            "packets that a stream keeps",
            () => MostOf(gms.Streams, static s => (long)(s.Highest - s.Floor)),
            options.Limits.Stream.WindowPackets,
            machine);
        bounds.Register(
            "repairs that wait in a stream",
            () => MostOf(gms.Streams, static s => s.WaitingRepairs),
            options.Limits.Stream.RepairsMax,
            machine);
        bounds.Register("members of a region", () => MostOf(gms.Views, static v => v.Members.Length), options.RegionMembersMax, machine);
        bounds.Register("sessions", () => gms.Counters.Sessions, cluster.Processes.Count() + 1 + SessionsOver, machine);
        bounds.Register("passing bytes", () => gms.TransientBytes, options.TransientBytesMax, machine);
        bounds.Register("upload bytes", () => gms.UploadBytes, UploadBytesMax, machine);
    }

    private static void RegisterApplication(
        BoundsChecker bounds, ApplicationPrimary primary, ApplicationFrontier frontier, GmsOptions options, SimulatedMachine machine)
    {
        string name = primary.Name;
        int pendingMax = options.Limits.PublishesWaitingMax + options.Limits.BatchReleasesMax;
        bounds.Register($"recent bytes of {name}", () => primary.Recent.Bytes, options.RecentBytesMax + MessageBytesMax, machine);
        bounds.Register($"publishes pending in {name}", () => primary.PendingCount, pendingMax, machine);
        bounds.Register($"waits on {name}", () => frontier.WaitCount, WaitsMax, machine);
        bounds.Register($"commits of {name} with members", () => frontier.CommitCount, options.Limits.CommitsKept, machine);
        bounds.Register($"members of {name} that are gone", () => GoneCount(frontier.Table), options.Limits.GoneRowsMax, machine);
    }

    private static long GoneCount(FrontierTable table)
    {
        int count = 0;
        for (int i = 0; i < table.Rows.Count; i++)
        {
            count += table.Rows[i].IsGone ? 1 : 0;
        }

        return count;
    }

    /// <summary>The greatest, or one below 0; 0 of none. Read after each turn of the host, for which a query is too slow.</summary>
    private static long MostOf<T>(IEnumerable<T> items, Func<T, long> read)
    {
        long most = 0;
        foreach (T item in items)
        {
            long value = read(item);
            most = value < 0 || most < 0 ? Math.Min(most, value) : Math.Max(most, value);
        }

        return most;
    }
}
