using System.Globalization;
using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Gms.Server;
using Ripple.Load.Push;

namespace Ripple.Load.Cluster;

/// <summary>
/// One of several hosts, in its own process: stands by until it leads, as the host's program does. Says when it leads, and how many
/// snapshots it has sent when it is asked.
/// </summary>
internal static class ClusterHostRole
{
    public static async Task<int> RunAsync(string[] args)
    {
        var options = new GmsServerOptions
        {
            DataDirectory = args[0],
            StoreFile = args[1],
            ListenAddress = new IPEndPoint(IPAddress.Loopback, int.Parse(args[2], CultureInfo.InvariantCulture)),
            Name = args[3],
            Application = Fleet.Application,
            HealthAddress = null,
        };
        GmsServer? leading = null;
        using var stopping = new CancellationTokenSource();
        Task reading = Task.Run(async () =>
        {
            while (await Console.In.ReadLineAsync() is not null)
            {
                Console.WriteLine(string.Create(
                    CultureInfo.InvariantCulture, $"snapshots {Volatile.Read(ref leading)?.Host.Counters.Snapshots ?? 0}"));
            }

            await stopping.CancelAsync();
        });
        var stopped = new TaskCompletionSource();
        await using CancellationTokenRegistration registration = stopping.Token.Register(stopped.SetResult);
        for (bool isLost = true; isLost;)
        {
            GmsServer server;
            try
            {
                server = await GmsServer.StartAsync(options, NullLoggerFactory.Instance, stopping.Token);
            }
            catch (OperationCanceledException)
            {
                break;
            }

            Volatile.Write(ref leading, server);
            Console.WriteLine("leads");
            Task first = await Task.WhenAny(server.Completion, stopped.Task);
            isLost = first == server.Completion && server.IsLeaseLost;
            await server.DisposeAsync();
        }

        await reading;
        return 0;
    }
}
