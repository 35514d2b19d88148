using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Ripple.Load.Matching;
using Ripple.Load.Peers;

namespace Ripple.Load.Events.Peers;

/// <summary>
/// Subscribers of Redis in one process, as Ripple's are: a connection each, which hears every event and finds its own boxes by a scan. Says
/// of each event when all have taken it.
/// </summary>
internal static class RedisSubscribersRole
{
    private const int BufferBytes = 65_536;

    /// <summary>Arguments: the file of the book, the server's port, then subscribers, boxes, dimensions and events.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        int[] numbers = [.. args.Skip(1).Select(a => int.Parse(a, CultureInfo.InvariantCulture))];
        var options = new EventsOptions { Subscribers = numbers[1], Boxes = numbers[2], Dimensions = numbers[3], Events = numbers[4] };
        var workload = new EventsWorkload(options);
        using var book = new ShownBook(args[0], options.Events, options.BoxesInAll);
        var log = new ShownLog(book);
        var taken = new Taken(options);
        using var ended = new CancellationTokenSource();
        var reading = new List<Task>();
        for (int i = 0; i < options.Subscribers; i++)
        {
            var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await socket.ConnectAsync(IPAddress.Loopback, numbers[0]);
            await SubscribeAsync(socket);
            int subscriber = i;
            reading.Add(Task.Run(() => ReadAsync(socket, options, workload, subscriber, log, taken, ended.Token)));
        }

        Console.WriteLine("ready");
        while (await Console.In.ReadLineAsync() is { } line)
        {
            Console.WriteLine(log.Answer(line));
        }

        await ended.CancelAsync();
        await Task.WhenAll(reading).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return 0;
    }

    private static async Task SubscribeAsync(Socket socket)
    {
        await socket.SendAsync(RedisMessage.Subscribe.ToArray());
        byte[] answer = new byte[RedisMessage.Subscribed.Length];
        for (int count = 0; count < answer.Length;)
        {
            int received = await socket.ReceiveAsync(answer.AsMemory(count));
            count += received > 0 ? received : throw new PeerException("Redis closed a connection.");
        }

        if (!answer.AsSpan().SequenceEqual(RedisMessage.Subscribed))
        {
            throw new PeerException("Redis did not answer to SUBSCRIBE as expected.");
        }
    }

    private static async Task ReadAsync(
        Socket socket, EventsOptions options, EventsWorkload workload, int subscriber, ShownLog log, Taken taken, CancellationToken ended)
    {
        using (socket)
        {
            int firstBox = subscriber * options.BoxesPerSubscriber;
            BoxScan scan = workload.ScanOf(firstBox, options.BoxesPerSubscriber);
            byte[] head = RedisMessage.HeadOf(options.Dimensions);
            int messageBytes = RedisMessage.BytesOf(options.Dimensions);
            int frameBytes = head.Length + messageBytes + 2;
            byte[] buffer = new byte[BufferBytes];
            int count = 0;
            int sequence = 0;
            while (await socket.ReceiveAsync(buffer.AsMemory(count), ended) is > 0 and int received)
            {
                count += received;
                int at = 0;
                for (; count - at >= frameBytes; at += frameBytes)
                {
                    Take(buffer.AsSpan(at, frameBytes));
                }

                buffer.AsSpan(at, count - at).CopyTo(buffer);
                count -= at;
            }

            void Take(ReadOnlySpan<byte> frame)
            {
                if (!frame.StartsWith(head))
                {
                    throw new PeerException("Redis sent something that is no event.");
                }

                ReadOnlySpan<byte> message = frame.Slice(head.Length, messageBytes);
                foreach (int box in scan.Match(MemoryMarshal.Cast<byte, double>(message[EventsWorkload.PayloadBytes..])))
                {
                    log.Add(firstBox + box, message, 0);
                }

                taken.Note(sequence++);
            }
        }
    }

    /// <summary>Counts who took each event, in the order in which they come, and says so when all have.</summary>
    private sealed class Taken(EventsOptions options)
    {
        private readonly int[] _counts = new int[RedisEvents.WarmUp + options.Events];

        public void Note(int sequence)
        {
            if (Interlocked.Increment(ref _counts[sequence]) == options.Subscribers)
            {
                Console.WriteLine("took");
            }
        }
    }
}
