using System.Diagnostics;
using System.Globalization;
using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Engine.Core;
using Ripple.Gms.Hosting;

namespace Ripple.Load.Processes;

/// <summary>The host in its own process. Says where it is, then tells its counters when it is asked, and starts again when it is told to.</summary>
internal static class HostRole
{
    private static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(20);

    public static async Task<int> RunAsync(string[] args)
    {
        var options = new GmsServerOptions
        {
            DataDirectory = args[0],
            Application = args[1],
            ListenAddress = new IPEndPoint(IPAddress.Loopback, 0),
            HealthAddress = null,
        };
        GmsServer server = await GmsServer.StartAsync(options, NullLoggerFactory.Instance);
        var probe = new CoreProbe(server.Runner);
        try
        {
            options = options with { ListenAddress = new IPEndPoint(IPAddress.Loopback, server.Endpoint.Port) };
            Console.WriteLine($"ready {server.Endpoint.Port.ToString(CultureInfo.InvariantCulture)} {server.Directory.ClientConnection} {server.Directory.AdminConnection}");
            while (await Console.In.ReadLineAsync() is { } line)
            {
                if (line == "restart")
                {
                    long members = server.Host.Counters.Members;
                    await probe.DisposeAsync();
                    await server.DisposeAsync();
                    long begin = Stopwatch.GetTimestamp();
                    server = await GmsServer.StartAsync(options, NullLoggerFactory.Instance);
                    probe = new CoreProbe(server.Runner);
                    while (server.Host.Counters.Members < members)
                    {
                        await Task.Delay(LookPeriod);
                    }

                    double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
                    (double waitP99Ms, double waitMaxMs, double busyMaxMs) = probe.Take();
                    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"restarted {seconds:F3} {waitP99Ms:F3} {waitMaxMs:F3} {busyMaxMs:F3} {server.ControlCounters.OverLimit}"));
                    continue;
                }

                await TellAsync(server, options, probe);
            }
        }
        finally
        {
            await probe.DisposeAsync();
            await server.DisposeAsync();
        }

        return 0;
    }

    private static async Task TellAsync(GmsServer server, GmsServerOptions options, CoreProbe probe)
    {
        long control = await TcpBytes.SentByAsync(server.Endpoint.Port);
        (long beacons, long repairs) = await server.Runner.RunAsync(() => (server.Host.Streams.Sum(s => s.Beacons), server.Host.Streams.Sum(s => s.Repairs)));
        // What --explain-memory prints for this host: its regions, and the publisher's connection, included.
        (int regions, long sessions, int applications) = await server.Runner.RunAsync(() => (server.Host.Views.Count(), server.Host.Counters.Sessions, server.Host.Applications.Count));
        (double coreP99Ms, double coreMaxMs, double coreBusyMs) = probe.Take();
        MemoryBudget budget = HostMemory.Of(options);
        double SumMb(params MemoryKind[] kinds) => kinds.Sum(k => budget.BytesOf(k, regions, sessions, applications)) / 1e6;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"counters {server.DatagramBytesSent} {server.DatagramsSent} {control} {ProcessCost.CpuMs:F3} {ProcessCost.RssMb:F1} {server.Host.Counters.CatchUps + server.Host.Counters.Snapshots} {beacons} {repairs} {SumMb(MemoryKind.Fixed, MemoryKind.Kept):F1} {SumMb(MemoryKind.Fixed, MemoryKind.Kept, MemoryKind.Passing):F1} {regions} {coreP99Ms:F3} {coreMaxMs:F3} {coreBusyMs:F3}"));
    }
}
