using System.Diagnostics;
using System.Globalization;
using System.Threading.Channels;

namespace Ripple.Load.Push.Histories;

/// <summary>Many nodes in one process that compare what they have of a document's versions with the versions themselves.</summary>
internal static class HistoryClientsRole
{
    /// <summary>Names every release from now on.</summary>
    public const string NameQuestion = "name";

    /// <summary>Says of which release and publish the first version will be; answered when each release before was named.</summary>
    public const string FirstQuestion = "first";

    /// <summary>
    /// Reads what never took effect, and tells what is proven: how many versions over all nodes, wrong ones, and read ones.
    /// </summary>
    public const string ProveQuestion = "prove";

    private static readonly TimeSpan NamedMax = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(20);

    /// <summary>As of other nodes, and then the file with the versions, and how many of it.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        string connection = await File.ReadAllTextAsync(args[0]);
        int count = int.Parse(args[1], CultureInfo.InvariantCulture);
        DocumentHistory history = DocumentHistory.TryRead(args[3], int.Parse(args[4], CultureInfo.InvariantCulture), out string error)
            ?? throw new InvalidDataException(error);
        var lines = Channel.CreateUnbounded<string>(new UnboundedChannelOptions { SingleReader = true });
        var arrivals = new Arrivals(count, lines.Writer);
        Task writing = Task.Run(() => ClientsRole.WriteAsync(lines.Reader));
        RippleRuntime runtime = RippleRuntime.Create();
        await using (runtime)
        {
            RippleClient[] clients = await ClientsRole.ConnectAsync(connection, runtime, count, args[2], other: null);
            NodeHistory[] nodes = [.. clients.Select(c => new NodeHistory(c, history, arrivals))];
            List<Task> watching = [.. nodes.Select(n => n.WatchAsync())];
            ulong last = 0;
            lines.Writer.TryWrite("ready");
            while (await Console.In.ReadLineAsync() is { } line)
            {
                string[] words = line.Split(' ');
                switch (words[0])
                {
                    case NameQuestion:
                        watching.AddRange(nodes.Select(n => n.NameAsync()));
                        break;
                    case FirstQuestion:
                        ulong first = ulong.Parse(words[1], CultureInfo.InvariantCulture);
                        last = first + (ulong)history.Versions.Count - 1;
                        await NamedAsync(nodes, first - 1);
                        Array.ForEach(nodes, n => n.Begin(first, int.Parse(words[2], CultureInfo.InvariantCulture)));
                        break;
                    case ProveQuestion:
                        await NamedAsync(nodes, last);
                        lines.Writer.TryWrite(await ProveAsync(nodes));
                        continue;
                    case ClientSample.Rest:
                        arrivals.TellRest();
                        break;
                }

                lines.Writer.TryWrite(ClientSample.Take(clients[0].Verifications, arrivals).Line);
            }

            await Parallel.ForEachAsync(clients, async (client, _) => await client.DisposeAsync());
            await Task.WhenAll(watching);
        }

        lines.Writer.Complete();
        await writing;
        return 0;
    }

    /// <summary>Waits until each node named a release, and not for ever: what is missing shows in the result.</summary>
    private static async Task NamedAsync(NodeHistory[] nodes, ulong release)
    {
        for (long begin = Stopwatch.GetTimestamp();
            Stopwatch.GetElapsedTime(begin) < NamedMax && !Array.TrueForAll(nodes, n => n.IsNamed(release));)
        {
            await Task.Delay(LookPeriod);
        }
    }

    private static async Task<string> ProveAsync(NodeHistory[] nodes)
    {
        (long proven, long wrong, long superseded) = (0, 0, 0);
        foreach (NodeHistory node in nodes)
        {
            (long Proven, long Wrong, long Superseded) one = await node.ProveAsync();
            (proven, wrong, superseded) = (proven + one.Proven, wrong + one.Wrong, superseded + one.Superseded);
        }

        return string.Create(CultureInfo.InvariantCulture, $"{ProveQuestion} {proven} {wrong} {superseded}");
    }
}
