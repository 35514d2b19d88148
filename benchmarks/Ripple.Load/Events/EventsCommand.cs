using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using Ripple.Load.Events.Peers;

namespace Ripple.Load.Events;

/// <summary>Measures events, beside Redis where it is asked for, and says what is wrong.</summary>
internal static class EventsCommand
{
    // What is missing of a peer is told as by the other commands.
    public static Task<int> RunAsync(string[] args) =>
        EventsOptions.Make(RunAsync).Parse(args).InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false });

    private static async Task<int> RunAsync(EventsOptions options)
    {
        string directory = Directory.CreateTempSubdirectory("ripple-load-").FullName;
        try
        {
            var workload = new EventsWorkload(options);
            int[][] expected = [.. Enumerable.Range(0, options.Events).Select(workload.BoxesOf)];
            RedisEvents? redis = options.HasRedis ? new RedisEvents(options, workload, expected, directory) : null;
            var peers = new List<EventsPace>();
            await MeasureAsync(redis, peers);
            EventsResult result;
            await using (var run = new EventsRun(options, workload, expected, directory))
            {
                result = await run.MeasureAsync();
            }

            EventsVerdict verdict = result.Verdict;
            Say("events", result.Pace, string.Create(
                CultureInfo.InvariantCulture,
                $"; {result.Boxes:N0} boxes of {result.Subscribers} subscribers, accepted {result.Accepted}, "
                    + $"unanswered {result.Unanswered}; lost {verdict.Lost}, twice {verdict.Twice}, strange {verdict.Strange}, "
                    + $"partial {verdict.Partial}, again {verdict.Again}, dropped {verdict.Dropped}"));
            await MeasureAsync(redis, peers);
            if (options.IsJson)
            {
                JsonObject json = result.ToJson();
                if (peers.Count > 0)
                {
                    EventsResult.AddPeer(json, EventsOptions.Redis, peers);
                }

                Console.WriteLine(json.ToJsonString());
            }

            return verdict.IsWell ? 0 : 1;
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static async Task MeasureAsync(RedisEvents? redis, List<EventsPace> peers)
    {
        if (redis is not null)
        {
            peers.Add(await redis.MeasureAsync());
            Say(EventsOptions.Redis, peers[^1], string.Empty);
        }
    }

    private static void Say(string what, EventsPace pace, string rest) => Console.WriteLine(string.Create(
        CultureInfo.InvariantCulture,
        $"{what,-8} {pace.EventsS:N0} events/s, {pace.MatchedS:N0} matched/s, {pace.DeliveredS:N0} delivered/s; p50 {pace.P50Ms:F1} ms, "
            + $"p99 {pace.P99Ms:F1} ms; cpu an event {pace.ServerCpuMs:F2} ms of the server, {pace.SubscribersCpuMs:F2} ms of subscribers")
        + rest);
}
