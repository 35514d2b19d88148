using System.Globalization;
using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Engine.Core;
using Ripple.Gms.Hosting;

namespace Ripple.Load.Processes;

/// <summary>The host in its own process. Says where it is, then tells its counters when it is asked.</summary>
internal static class HostRole
{
    public static async Task<int> RunAsync(string[] args)
    {
        var options = new GmsServerOptions
        {
            DataDirectory = args[0],
            Application = args[1],
            ListenAddress = new IPEndPoint(IPAddress.Loopback, 0),
            HealthAddress = null,
        };
        await using GmsServer server = await GmsServer.StartAsync(options, NullLoggerFactory.Instance);
        Console.WriteLine($"ready {server.Endpoint.Port.ToString(CultureInfo.InvariantCulture)} {server.Directory.ClientConnection} {server.Directory.AdminConnection}");
        using var stopping = new CancellationTokenSource();
        var probe = new CoreProbe(server.Runner);
        Task probing = probe.RunAsync(stopping.Token);
        while (await Console.In.ReadLineAsync() is not null)
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

        await stopping.CancelAsync();
        await probing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

        return 0;
    }
}
