using System.Globalization;

namespace Ripple.Load.Events;

/// <summary>Many subscribers in one process, on one runtime, each with its boxes; notes what they are shown.</summary>
internal static class SubscribersRole
{
    private const int ConnectingMax = 8;

    /// <summary>
    /// Arguments: the file of the connection string, that of the book, then subscribers, boxes, dimensions and events in all, and the first
    /// of these subscribers and their number.
    /// </summary>
    public static async Task<int> RunAsync(string[] args)
    {
        string connection = (await File.ReadAllTextAsync(args[0])).Trim();
        int[] numbers = [.. args.Skip(2).Select(a => int.Parse(a, CultureInfo.InvariantCulture))];
        var options = new EventsOptions { Subscribers = numbers[0], Boxes = numbers[1], Dimensions = numbers[2], Events = numbers[3] };
        (int first, int count) = (numbers[4], numbers[5]);
        var workload = new EventsWorkload(options);
        using var book = new ShownBook(args[1], options.Events, options.BoxesInAll);
        var log = new ShownLog(book);
        using var ended = new CancellationTokenSource();
        RippleRuntime runtime = RippleRuntime.Create();
        await using (runtime)
        {
            var clients = new RippleClient[count];
            await Parallel.ForAsync(
                0,
                count,
                new ParallelOptions { MaxDegreeOfParallelism = ConnectingMax },
                async (i, stop) => clients[i] = await RippleClient.ConnectAsync(
                    connection,
                    new RippleClientOptions
                    {
                        Runtime = runtime,
                        Name = string.Create(CultureInfo.InvariantCulture, $"subscriber-{first + i}"),
                        SnapshotMode = SnapshotMode.Off,
                    },
                    stop));
            Task[] subscribing =
            [
                .. Enumerable.Range(first * options.BoxesPerSubscriber, count * options.BoxesPerSubscriber).Select(box => SubscribeAsync(
                    clients[(box / options.BoxesPerSubscriber) - first], workload, box, log, ended.Token)),
            ];
            Console.WriteLine("ready");
            while (await Console.In.ReadLineAsync() is { } line)
            {
                Console.WriteLine(log.Answer(line));
            }

            await ended.CancelAsync();
            await Task.WhenAll(subscribing).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await Parallel.ForEachAsync(clients, async (client, _) => await client.DisposeAsync());
        }

        return 0;
    }

    private static async Task SubscribeAsync(RippleClient client, EventsWorkload workload, int box, ShownLog log, CancellationToken stop)
    {
        await foreach (RippleEvent one in client.Space(client.Application).SubscribeAsync(b => workload.Set(b, box), stop))
        {
            log.Add(box, one.Payload.Span, one.Dropped);
        }
    }
}
