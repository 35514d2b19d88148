using System.Diagnostics;
using System.Globalization;
using System.Threading.Channels;
using Ripple.Load.Processes;

namespace Ripple.Load.Push;

/// <summary>Many nodes in one process, on one runtime: watches each, and tells when all have a release.</summary>
internal static class ClientsRole
{
    private const int ConnectingMax = 8;

    public static async Task<int> RunAsync(string[] args)
    {
        string connection = await File.ReadAllTextAsync(args[0]);
        int count = int.Parse(args[1], CultureInfo.InvariantCulture);
        var lines = Channel.CreateUnbounded<string>(new UnboundedChannelOptions { SingleReader = true });
        var arrivals = new Arrivals(count, lines.Writer);
        Task writing = Task.Run(() => WriteAsync(lines.Reader));
        RippleRuntime runtime = RippleRuntime.Create();
        await using (runtime)
        {
            RippleClient[] clients = new RippleClient[count];
            await Parallel.ForAsync(0, count, new ParallelOptions { MaxDegreeOfParallelism = ConnectingMax }, async (i, cancellation) =>
                clients[i] = await RippleClient.ConnectAsync(connection, OptionsOf(runtime, args[2], i), cancellation));
            Task watching = Task.WhenAll(clients.Select(c => WatchAsync(c, arrivals)));
            lines.Writer.TryWrite("ready");
            while (await Console.In.ReadLineAsync() is { } line)
            {
                if (line == "rest")
                {
                    arrivals.TellRest();
                }

                lines.Writer.TryWrite(Counters(clients[0].Verifications, arrivals));
            }

            await Parallel.ForEachAsync(clients, async (client, _) => await client.DisposeAsync());
            await watching;
        }

        lines.Writer.Complete();
        await writing;
        return 0;
    }

    private static RippleClientOptions OptionsOf(RippleRuntime runtime, string name, int i) => new()
    {
        Runtime = runtime,
        Name = string.Create(CultureInfo.InvariantCulture, $"{name}-{i}"),
        SnapshotMode = SnapshotMode.Off,
        ConnectTimeout = TimeSpan.FromSeconds(300),
    };

    private static async Task WatchAsync(RippleClient client, Arrivals arrivals)
    {
        var node = new NodeArrivals(arrivals);
        await foreach (RippleRelease release in client.WatchAsync())
        {
            node.Add(release);
        }
    }

    /// <summary>The line that tells what this process used and saw.</summary>
    public static string Counters(long verifications, Arrivals arrivals) => string.Create(
        CultureInfo.InvariantCulture,
        $"counters {ProcessCost.CpuMs:F3} {verifications} {arrivals.Skipped} {arrivals.Bad} {ProcessCost.RssMb:F1} {arrivals.Total} "
            + $"{Stopwatch.GetTimestamp()}");

    /// <summary>Writes lines to the standard output until there are no more.</summary>
    public static async Task WriteAsync(ChannelReader<string> lines)
    {
        using Stream output = Console.OpenStandardOutput();
        using var writer = new StreamWriter(output) { AutoFlush = true };
        await foreach (string line in lines.ReadAllAsync())
        {
            await writer.WriteLineAsync(line);
        }
    }
}
