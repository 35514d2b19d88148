using System.CommandLine;

namespace Ripple.Load.Events;

/// <summary>What to measure. Immutable.</summary>
internal sealed record EventsOptions
{
    public const string Usage = "events [--subscribers N] [--boxes N] [--dims N] [--events N] [--window N] "
        + "[--kill host|subscriber|emitter] [--peers redis] [--json]\n"
        + "  Events to subscribers by ranges, over a host: processes of their own, on this machine.\n"
        + "  --boxes: of all subscribers together (default 40,000, of 100 subscribers).\n"
        + "  --window: events that are under way at a time, until they are delivered to all (default 64).\n"
        + "  --kill: a process is killed under way. The host, and another takes its place; one with a quarter of the subscribers, and\n"
        + "    another begins with their ranges; or one of two emitters. Every second event counts as taken once it is accepted.\n"
        + "  --peers: before and after, the same events to one channel of Redis, which all subscribers hear and filter by themselves;\n"
        + "    figures and ratios are added to the JSON.";

    /// <summary>The peer there is.</summary>
    public const string Redis = "redis";

    private const int BoxesPerSubscriberMax = 1_024;

    /// <summary>The subscribers, each a client of its own. Default 100.</summary>
    public int Subscribers { get; init; } = 100;

    /// <summary>Their boxes. Default 40,000.</summary>
    public int Boxes { get; init; } = 40_000;

    /// <summary>The dimensions. Default 4.</summary>
    public int Dimensions { get; init; } = 4;

    /// <summary>The events that are measured. Default 5,000.</summary>
    public int Events { get; init; } = 5_000;

    /// <summary>The events under way at a time. Default 64.</summary>
    public int Window { get; init; } = 64;

    /// <summary>Which process is killed under way; null for none.</summary>
    public Death? Kill { get; init; }

    /// <summary>Whether Redis is measured before and after.</summary>
    public bool HasRedis { get; init; }

    public bool IsJson { get; init; }

    public int BoxesPerSubscriber => Boxes / Subscribers;

    /// <summary>The boxes that are there: as many for each subscriber.</summary>
    public int BoxesInAll => BoxesPerSubscriber * Subscribers;

    /// <summary>The command line.</summary>
    public static Command Make(Func<EventsOptions, Task<int>> run)
    {
        var defaults = new EventsOptions();
        Option<int> subscribers = Number("--subscribers", defaults.Subscribers);
        Option<int> boxes = Number("--boxes", defaults.Boxes);
        Option<int> dimensions = Number("--dims", defaults.Dimensions);
        Option<int> events = Number("--events", defaults.Events);
        Option<int> window = Number("--window", defaults.Window);
        var kill = new Option<Death?>("--kill");
        var peers = new Option<string?>("--peers");
        peers.AcceptOnlyFromAmong(Redis);
        var json = new Option<bool>("--json");
        var command = new Command("events", Usage) { subscribers, boxes, dimensions, events, window, kill, peers, json };
        command.Validators.Add(result =>
        {
            if (result.GetValue(boxes) / Math.Max(1, result.GetValue(subscribers)) is < 1 or > BoxesPerSubscriberMax)
            {
                result.AddError($"A subscriber has 1 to {BoxesPerSubscriberMax} boxes: --boxes is of all subscribers together.");
            }

            if (result.GetValue(kill) == Death.Subscriber && result.GetValue(subscribers) < 2)
            {
                result.AddError("Where subscribers are killed, others stay: --subscribers is 2 or more.");
            }
        });
        command.SetAction((result, _) => run(new EventsOptions
        {
            Subscribers = result.GetValue(subscribers),
            Boxes = result.GetValue(boxes),
            Dimensions = result.GetValue(dimensions),
            Events = result.GetValue(events),
            Window = result.GetValue(window),
            Kill = result.GetValue(kill),
            HasRedis = result.GetValue(peers) is not null,
            IsJson = result.GetValue(json),
        }));
        return command;
    }

    private static Option<int> Number(string name, int preset)
    {
        var option = new Option<int>(name) { DefaultValueFactory = _ => preset };
        option.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int>() < 1)
            {
                result.AddError($"{name} is 1 or more.");
            }
        });
        return option;
    }
}

/// <summary>Which process is killed.</summary>
internal enum Death
{
    /// <summary>The host; another takes its place, on its port and its disk.</summary>
    Host,

    /// <summary>A process of subscribers; another begins, with their ranges.</summary>
    Subscriber,

    /// <summary>One of two emitters.</summary>
    Emitter,
}
