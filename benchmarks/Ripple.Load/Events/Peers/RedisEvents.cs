using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Ripple.Load.Peers;
using Ripple.Load.Processes;

namespace Ripple.Load.Events.Peers;

/// <summary>
/// The same events without ranges at the server: all are published to one channel of Redis, each subscriber hears all of them, and compares
/// them with its own boxes. A window as ours: so many events that not all have taken; they say that by a pipe, which costs Redis nothing.
/// </summary>
/// <param name="options">What is measured.</param>
/// <param name="workload">The boxes and events.</param>
/// <param name="expected">The boxes of each event.</param>
/// <param name="directory">A directory for the server's disk and the books.</param>
internal sealed class RedisEvents(EventsOptions options, EventsWorkload workload, int[][] expected, string directory)
{
    /// <summary>Events before those that are measured.</summary>
    public const int WarmUp = 500;

    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(1);
    private static readonly Peer Redis = Peer.All.Single(p => p.Name == Peer.Redis);

    /// <summary>Starts a server and subscribers, and measures once.</summary>
    /// <exception cref="PeerException">The server's program is missing, or events were lost.</exception>
    public async Task<EventsPace> MeasureAsync()
    {
        PeerServer.Demand(Redis);
        string own = Directory.CreateDirectory(Path.Combine(directory, $"redis-{Guid.NewGuid():N}")).FullName;
        string path = Path.Combine(own, "shown");
        await using PeerServer server = await PeerServer.StartAsync(Redis, Redis.Program!, own);
        using var book = new ShownBook(path, options.Events, options.BoxesInAll);
        int[] numbers = [server.Port, options.Subscribers, options.Boxes, options.Dimensions, options.Events];
        await using Child subscribers = Child.Start(
            [Roles.RedisSubscribers, path, .. numbers.Select(n => n.ToString(CultureInfo.InvariantCulture))]);
        await subscribers.ExpectAsync("ready", EventsProcesses.Timeout);
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Loopback, server.Port);
        using var ended = new CancellationTokenSource();
        Task reading = ReadRepliesAsync(socket, ended.Token);
        await PublishAsync(socket, subscribers, -WarmUp, WarmUp);
        await subscribers.SendAsync("begin");
        await subscribers.ExpectAsync("begun", Timeout);

        double serverCpuMs = server.CpuMs;
        double subscribersCpuMs = subscribers.CpuMs;
        long begin = Stopwatch.GetTimestamp();
        await PublishAsync(socket, subscribers, 0, options.Events);
        double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        serverCpuMs = server.CpuMs - serverCpuMs;
        subscribersCpuMs = subscribers.CpuMs - subscribersCpuMs;
        double[] times = await EventsRun.TimesAsync(subscribers);
        await ended.CancelAsync();
        await reading;
        Check(book);
        return EventsPace.Of(
            expected, expected.Sum(e => (long)workload.SubscribersOf(e)), seconds, times, serverCpuMs, subscribersCpuMs);
    }

    private async Task PublishAsync(Socket socket, Child subscribers, int first, int count)
    {
        using var room = new SemaphoreSlim(options.Window);
        Task taking = TakeAsync();
        for (int i = 0; i < count; i++)
        {
            if (!await room.WaitAsync(Timeout))
            {
                break;
            }

            await socket.SendAsync(RedisMessage.Publish(first + i, Stopwatch.GetTimestamp(), workload.NumbersOf(first + i)));
        }

        await taking;

        async Task TakeAsync()
        {
            try
            {
                for (int i = 0; i < count; i++)
                {
                    await subscribers.ExpectAsync("took", Timeout);
                    room.Release();
                }
            }
            catch (TimeoutException)
            {
                throw new PeerException($"The subscribers of Redis did not take an event within {Timeout.TotalSeconds} s.");
            }
        }
    }

    /// <summary>The server answers each publish; nobody needs it, but it is to be read.</summary>
    private static async Task ReadRepliesAsync(Socket socket, CancellationToken ended)
    {
        byte[] buffer = new byte[65_536];
        try
        {
            while (await socket.ReceiveAsync(buffer, ended) > 0)
            {
            }
        }
        catch (OperationCanceledException)
        {
            // It was measured.
        }
    }

    private void Check(ShownBook book)
    {
        for (int number = 0; number < expected.Length; number++)
        {
            if (book.CountOf(number) != expected[number].Length || !expected[number].All(b => book.Has(number, b)))
            {
                throw new PeerException($"The subscribers of Redis found other boxes for event {number} than have it.");
            }
        }
    }
}
