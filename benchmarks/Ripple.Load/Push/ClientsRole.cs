using System.Globalization;
using System.Threading.Channels;

namespace Ripple.Load.Push;

/// <summary>Many nodes in one process, on one runtime: watches each, and tells when all have a release.</summary>
internal static class ClientsRole
{
    private const int ConnectingMax = 8;

    /// <summary>
    /// The file with the connection string, how many nodes, how their names begin, and the application that they take beside their own,
    /// where there is one.
    /// </summary>
    public static Task<int> RunAsync(string[] args) => RunAsync(args, RippleRuntime.Create(), _ => { });

    /// <summary>The same on a given runtime, which ends with it; <paramref name="onAsked"/> sees each question before its answer.</summary>
    public static async Task<int> RunAsync(string[] args, RippleRuntime runtime, Action<string> onAsked)
    {
        string connection = await File.ReadAllTextAsync(args[0]);
        int count = int.Parse(args[1], CultureInfo.InvariantCulture);
        string? other = args.Length > 3 ? args[3] : null;
        var lines = Channel.CreateUnbounded<string>(new UnboundedChannelOptions { SingleReader = true });
        var arrivals = new Arrivals(count, lines.Writer);
        var beside = new Arrivals(count, lines.Writer, Arrivals.WordBeside);
        Task writing = Task.Run(() => WriteAsync(lines.Reader));
        await using (runtime)
        {
            RippleClient[] clients = await ConnectAsync(connection, runtime, count, args[2], other);
            Task watching = Task.WhenAll([
                .. clients.Select(c => WatchAsync(c, null, arrivals)),
                .. other is null ? [] : clients.Select(c => WatchAsync(c, other, beside)),
            ]);
            lines.Writer.TryWrite("ready");
            while (await Console.In.ReadLineAsync() is { } line)
            {
                onAsked(line);
                if (line == ClientSample.Rest)
                {
                    arrivals.TellRest();
                    beside.TellRest();
                }

                lines.Writer.TryWrite(ClientSample.Take(clients[0].Verifications, arrivals, beside.Bad).Line);
            }

            await Parallel.ForEachAsync(clients, async (client, _) => await client.DisposeAsync());
            await watching;
        }

        lines.Writer.Complete();
        await writing;
        return 0;
    }

    /// <summary>Connects so many nodes, some at a time.</summary>
    public static async Task<RippleClient[]> ConnectAsync(
        string connection, RippleRuntime runtime, int count, string name, string? other)
    {
        var clients = new RippleClient[count];
        await Parallel.ForAsync(0, count, new ParallelOptions { MaxDegreeOfParallelism = ConnectingMax }, async (i, cancellation) =>
            clients[i] = await RippleClient.ConnectAsync(connection, OptionsOf(runtime, name, i, other), cancellation));
        return clients;
    }

    private static RippleClientOptions OptionsOf(RippleRuntime runtime, string name, int i, string? other) => new()
    {
        Runtime = runtime,
        Application = Fleet.Application,
        Interest = other is null ? null : [other],
        Name = string.Create(CultureInfo.InvariantCulture, $"{name}-{i}"),
        SnapshotMode = SnapshotMode.Off,
        ConnectTimeout = TimeSpan.FromSeconds(300),
    };

    private static async Task WatchAsync(RippleClient client, string? application, Arrivals arrivals)
    {
        var node = new NodeArrivals(arrivals);
        await foreach (RippleRelease release in client.WatchAsync(application))
        {
            node.Add(release);
        }
    }

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
