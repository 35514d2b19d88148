using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Ripple.Admin;
using Ripple.Load.Processes;
using Ripple.Trust;

namespace Ripple.Load.Events;

/// <summary>Starts a host and subscribers, emits, and counts what was shown beside what must be.</summary>
internal static class EventsCommand
{
    private const int WarmUp = 500;
    private const string Application = "load";
    private static readonly TimeSpan StartTimeout = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan SettleMax = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(50);
    private static readonly JsonSerializerOptions Json = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    public static async Task<int> RunAsync(string[] args)
    {
        if (EventsOptions.Parse(args, out string error) is not { } options)
        {
            await Console.Error.WriteLineAsync($"{error}\n{EventsOptions.Usage}");
            return 2;
        }

        string directory = Directory.CreateTempSubdirectory("ripple-load-").FullName;
        try
        {
            EventsResult result = await MeasureAsync(options, directory);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"events   {result.Boxes:N0} boxes of {result.Subscribers} subscribers: {result.EventsS:N0} events/s, "
                    + $"{result.MatchedS:N0} matched/s, {result.DeliveredS:N0} delivered/s; p50 {result.P50Ms:F1} ms, "
                    + $"p99 {result.P99Ms:F1} ms; lost {result.Lost}, twice {result.Twice}, dropped {result.Dropped}"));
            if (options.IsJson)
            {
                Console.WriteLine(JsonSerializer.Serialize(result, Json));
            }

            return result is { Lost: 0, Twice: 0 } ? 0 : 1;
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static async Task<EventsResult> MeasureAsync(EventsOptions options, string directory)
    {
        var workload = new EventsWorkload(options);
        Child host = StartHost(directory, null);
        string[] words = await host.ExpectAsync("ready", StartTimeout);
        await using Child subscribers = await StartSubscribersAsync(options, workload, words);
        RippleClient emitter = await RippleClient.ConnectAsync(
            await File.ReadAllTextAsync(words[3]),
            new RippleClientOptions { Application = Application, Name = "emitter", SnapshotMode = SnapshotMode.Off });
        await using (emitter)
        {
            await SettleAsync(options, workload, emitter);
            await EmitAsync(options with { Events = WarmUp }, workload, emitter, first: -WarmUp - 1, null);
            await subscribers.SendAsync("begin");
            await subscribers.ExpectAsync("begun", StartTimeout);
            long begin = Stopwatch.GetTimestamp();
            await EmitAsync(options, workload, emitter, first: 0, options.IsKill ? () => KillAsync() : null);
            double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
            EventsResult result = await CountAsync(options, workload, subscribers, seconds);
            await host.DisposeAsync();
            return result;
        }

        async Task KillAsync()
        {
            await host.KillAsync();
            host = StartHost(directory, words[1]);
            await host.ExpectAsync("ready", StartTimeout);
        }
    }

    private static Child StartHost(string directory, string? port)
    {
        string[] arguments =
        [
            Roles.Host,
            Path.Combine(directory, "host"),
            Application,
            HostRole.Unicast,
            HostRole.NotProbed,
            HostRole.Rings(null, null),
        ];
        return Child.Start(port is null ? arguments : [.. arguments, string.Empty, port]);
    }

    private static async Task<Child> StartSubscribersAsync(EventsOptions options, EventsWorkload workload, string[] words)
    {
        using (var admin = new RippleAdminClient(ConnectionString.Parse(await File.ReadAllTextAsync(words[3]))))
        {
            await admin.SetSpaceAsync(Application, workload.SpaceText);
        }

        Child child = Child.Start([
            Roles.EventSubscribers,
            words[2],
            .. new[] { options.Subscribers, options.Boxes, options.Dimensions }.Select(n => n.ToString(CultureInfo.InvariantCulture))]);
        await child.ExpectAsync("ready", StartTimeout);
        return child;
    }

    /// <summary>Subscriptions come to the host behind each other: emits until the first event finds all it must.</summary>
    private static async Task SettleAsync(EventsOptions options, EventsWorkload workload, RippleClient emitter)
    {
        long begin = Stopwatch.GetTimestamp();
        int settled = 0;
        while (settled < options.Window)
        {
            EmittedEvent emitted = await emitter.Space(Application).EmitAsync(
                workload.PointOf(settled), EventsWorkload.Payload(-1, Stopwatch.GetTimestamp()), EmitUntil.Matched);
            settled = emitted.Subscribers == workload.ExpectedOf(settled).Subscribers ? settled + 1 : 0;
            if (Stopwatch.GetElapsedTime(begin) > StartTimeout)
            {
                throw new InvalidOperationException("The subscriptions did not come to the host.");
            }

            await Task.Delay(1);
        }
    }

    private static async Task EmitAsync(
        EventsOptions options, EventsWorkload workload, RippleClient emitter, int first, Func<Task>? killAtHalf)
    {
        var killing = Task.CompletedTask;
        using var window = new SemaphoreSlim(options.Window);
        var emitting = new List<Task>();
        for (int i = 0; i < options.Events; i++)
        {
            if (i == options.Events / 2 && killAtHalf is not null)
            {
                killing = killAtHalf();
            }

            await window.WaitAsync();
            emitting.Add(EmitOneAsync(first < 0 ? -1 - i : first + i));
        }

        await Task.WhenAll(emitting);
        await killing;

        async Task EmitOneAsync(int number)
        {
            byte[] payload = EventsWorkload.Payload(number, Stopwatch.GetTimestamp());
            await emitter.Space(Application).EmitAsync(workload.PointOf(Math.Abs(number)), payload);
            window.Release();
        }
    }

    private static async Task<EventsResult> CountAsync(EventsOptions options, EventsWorkload workload, Child subscribers, double seconds)
    {
        (int Boxes, int Subscribers)[] expected = [.. Enumerable.Range(0, options.Events).Select(workload.ExpectedOf)];
        long boxes = expected.Sum(e => (long)e.Boxes);
        long begin = Stopwatch.GetTimestamp();
        double[] shown;
        do
        {
            await Task.Delay(LookPeriod);
            await subscribers.SendAsync("tell");
            shown = [.. (await subscribers.ExpectAsync("shown", StartTimeout)).Skip(1).Select(ProcessCost.Read)];
        }
        while (shown[0] - shown[1] < boxes && Stopwatch.GetElapsedTime(begin) < SettleMax);

        return new EventsResult
        {
            Subscribers = options.Subscribers,
            Boxes = options.Boxes,
            Dimensions = options.Dimensions,
            Events = options.Events,
            IsKilled = options.IsKill,
            EventsS = options.Events / seconds,
            MatchedS = boxes / seconds,
            DeliveredS = expected.Sum(e => (long)e.Subscribers) / seconds,
            P50Ms = shown[3],
            P99Ms = shown[4],
            Lost = boxes - (long)(shown[0] - shown[1]),
            Twice = (long)shown[1],
            Dropped = (long)shown[2],
        };
    }
}
