using System.Diagnostics;
using System.Globalization;
using Ripple.Load.Push;

namespace Ripple.Load.Events;

/// <summary>Many subscribers in one process, on one runtime, each with its boxes; tells what they were shown.</summary>
internal static class SubscribersRole
{
    private const int ConnectingMax = 8;

    public static async Task<int> RunAsync(string[] args)
    {
        string connection = (await File.ReadAllTextAsync(args[0])).Trim();
        int[] numbers = [.. args.Skip(1).Select(a => int.Parse(a, CultureInfo.InvariantCulture))];
        var options = new EventsOptions { Subscribers = numbers[0], Boxes = numbers[1], Dimensions = numbers[2] };
        var workload = new EventsWorkload(options);
        var shown = new Shown();
        using var ended = new CancellationTokenSource();
        RippleRuntime runtime = RippleRuntime.Create();
        await using (runtime)
        {
            var clients = new RippleClient[options.Subscribers];
            await Parallel.ForAsync(
                0,
                clients.Length,
                new ParallelOptions { MaxDegreeOfParallelism = ConnectingMax },
                async (i, stop) => clients[i] = await RippleClient.ConnectAsync(
                    connection,
                    new RippleClientOptions
                    {
                        Runtime = runtime,
                        Name = string.Create(CultureInfo.InvariantCulture, $"subscriber-{i}"),
                        SnapshotMode = SnapshotMode.Off,
                    },
                    stop));
            Task[] subscribing =
            [
                .. Enumerable.Range(0, options.BoxesPerSubscriber * options.Subscribers).Select(box => SubscribeAsync(
                    clients[box / options.BoxesPerSubscriber], workload, box, shown, ended.Token)),
            ];
            Console.WriteLine("ready");
            while (await Console.In.ReadLineAsync() is { } line)
            {
                Console.WriteLine(line == "begin" ? shown.Begin() : shown.Tell());
            }

            await ended.CancelAsync();
            await Task.WhenAll(subscribing).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await Parallel.ForEachAsync(clients, async (client, _) => await client.DisposeAsync());
        }

        return 0;
    }

    private static async Task SubscribeAsync(
        RippleClient client, EventsWorkload workload, int box, Shown shown, CancellationToken stop)
    {
        var seen = new HashSet<long>();
        await foreach (RippleEvent one in client.Space(client.Application).SubscribeAsync(b => workload.Set(b, box), stop))
        {
            (long number, long ticks) = EventsWorkload.Read(one.Payload.Span);
            shown.Add(Stopwatch.GetTimestamp() - ticks, number >= 0 && !seen.Add(number), one.Dropped);
        }
    }

    /// <summary>What all subscribers were shown.</summary>
    private sealed class Shown
    {
        private readonly Lock _lock = new();
        private List<long> _ticks = [];
        private long _count;
        private long _twice;
        private long _dropped;

        public string Begin()
        {
            lock (_lock)
            {
                (_ticks, _count, _twice, _dropped) = ([], 0, 0, 0);
            }

            return "begun";
        }

        public void Add(long ticks, bool isTwice, long dropped)
        {
            lock (_lock)
            {
                _ticks.Add(ticks);
                _count++;
                _twice += isTwice ? 1 : 0;
                _dropped += dropped;
            }
        }

        public string Tell()
        {
            lock (_lock)
            {
                return string.Create(
                    CultureInfo.InvariantCulture,
                    $"shown {_count} {_twice} {_dropped} {Percentile.OfMs(_ticks, 50):F3} {Percentile.OfMs(_ticks, 99):F3}");
            }
        }
    }
}
