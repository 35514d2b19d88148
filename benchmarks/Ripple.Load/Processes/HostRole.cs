using System.Diagnostics;
using System.Globalization;
using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Engine.Memory;
using Ripple.Gms;
using Ripple.Gms.Server;

namespace Ripple.Load.Processes;

/// <summary>
/// The host in its own process. Says where it is, then tells its counters when it is asked, and starts again when it is told to.
/// </summary>
internal static class HostRole
{
    /// <summary>
    /// The third argument: by which the streams go. Groups on this machine alone, where the port is found when the host starts.
    /// </summary>
    public const string Multicast = "multicast";
    public const string Unicast = "unicast";

    /// <summary>The fourth argument: whether what calls wait for is measured, which costs processor time itself.</summary>
    public const string Probed = "probed";
    public const string NotProbed = "not-probed";

    /// <summary>Asks for the number of members that are leaves.</summary>
    public const string Leaves = "leaves";

    private static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(20);
    private static readonly IPNetwork Groups = IPNetwork.Parse("239.192.0.0/24");

    /// <summary>The argument that says how a region's rings are cut, and of how many one leader tells.</summary>
    public static string Rings(int? partMembers, int? aggregateDatagramsMax) => string.Create(
        CultureInfo.InvariantCulture,
        $"{partMembers ?? HostLimits.Default.PartMembers}/{aggregateDatagramsMax ?? HostLimits.Default.AggregateDatagramsMax}");

    public static async Task<int> RunAsync(string[] args)
    {
        var options = new GmsServerOptions
        {
            DataDirectory = args[0],
            // The sixth argument, where there is one that is not empty.
            StoreFile = args.Length > 5 && args[5].Length > 0 ? args[5] : null,
            Application = args[1],
            // The seventh: the port of a host that was killed, which another takes over.
            ListenAddress = new IPEndPoint(IPAddress.Loopback, args.Length > 6 ? int.Parse(args[6], CultureInfo.InvariantCulture) : 0),
            HealthAddress = null,
            // The fifth argument.
            Gms = new GmsOptions { Limits = LimitsOf(args[4]) },
            Multicast = args[2] == Multicast ? new GmsMulticastOptions { Groups = Groups, Port = FreePort.Udp(), Ttl = 0 } : null,
        };
        bool isProbed = args[3] == Probed;
        GmsServer server = await GmsServer.StartAsync(options, NullLoggerFactory.Instance);
        CoreProbe? probe = isProbed ? new CoreProbe(server.Runner) : null;
        try
        {
            options = options with { ListenAddress = new IPEndPoint(IPAddress.Loopback, server.Endpoint.Port) };
            Console.WriteLine(
                $"ready {server.Endpoint.Port.ToString(CultureInfo.InvariantCulture)} {server.Directory.ClientConnection} "
                    + $"{server.Directory.AdminConnection}");
            while (await Console.In.ReadLineAsync() is { } line)
            {
                if (line == "restart")
                {
                    long members = server.Host.Counters.Members;
                    await EndAsync(probe);
                    await server.DisposeAsync();
                    long begin = Stopwatch.GetTimestamp();
                    server = await GmsServer.StartAsync(options, NullLoggerFactory.Instance);
                    probe = isProbed ? new CoreProbe(server.Runner) : null;
                    while (server.Host.Counters.Members < members)
                    {
                        await Task.Delay(LookPeriod);
                    }

                    double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
                    (double waitP99Ms, double waitMaxMs, double busyMaxMs) = Take(probe);
                    Console.WriteLine(string.Create(
                        CultureInfo.InvariantCulture,
                        $"restarted {seconds:F3} {waitP99Ms:F3} {waitMaxMs:F3} {busyMaxMs:F3} {server.LinkEndpointCounters.OverLimit}"));
                    continue;
                }

                if (line == Leaves)
                {
                    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{Leaves} {server.Host.Counters.Leaves}"));
                    continue;
                }

                await TellAsync(server, options, probe);
            }
        }
        finally
        {
            await EndAsync(probe);
            await server.DisposeAsync();
        }

        return 0;
    }

    private static HostLimits LimitsOf(string rings)
    {
        int[] numbers = [.. rings.Split('/').Select(n => int.Parse(n, CultureInfo.InvariantCulture))];
        return HostLimits.Default with { PartMembers = numbers[0], AggregateDatagramsMax = numbers[1] };
    }

    private static ValueTask EndAsync(CoreProbe? probe) => probe?.DisposeAsync() ?? default;

    private static (double WaitP99Ms, double WaitMaxMs, double BusyMaxMs) Take(CoreProbe? probe) =>
        probe?.Take() ?? (double.NaN, double.NaN, double.NaN);

    private static async Task TellAsync(GmsServer server, GmsServerOptions options, CoreProbe? probe)
    {
        long control = await TcpBytes.SentByAsync(server.Endpoint.Port);
        (long beacons, long repairs) = await server.Runner.RunAsync(
            () => (server.Host.Streams.Sum(s => s.Counters.Beacons), server.Host.Streams.Sum(s => s.Counters.Repairs)));
        // What --explain-memory prints for this host: its regions, and the publisher's connection, included.
        (int regions, long sessions, int applications) = await server.Runner.RunAsync(
            () => (server.Host.Views.Count(), server.Host.Counters.Sessions, server.Host.Applications.Count));
        (double coreP99Ms, double coreMaxMs, double coreBusyMs) = Take(probe);
        MemoryBudget budget = HostMemory.Of(options);
        double SumMb(params MemoryKind[] kinds) => kinds.Sum(k => budget.BytesOf(k, regions, sessions, applications)) / 1e6;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"counters {server.DatagramBytesSent} {server.DatagramsSent} {control} {ProcessCost.CpuMs:F3} {ProcessCost.RssMb:F1} "
                + $"{server.Host.Counters.CatchUps + server.Host.Counters.Snapshots} {beacons} {repairs} "
                + $"{SumMb(MemoryKind.Fixed, MemoryKind.Retained):F1} "
                + $"{SumMb(MemoryKind.Fixed, MemoryKind.Retained, MemoryKind.Transient):F1} {regions} {coreP99Ms:F3} "
                + $"{coreMaxMs:F3} {coreBusyMs:F3} {server.Host.Counters.Failures}"));
    }
}
