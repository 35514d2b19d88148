using System.Globalization;

namespace Ripple.Load.Events;

/// <summary>What to measure. Immutable.</summary>
internal sealed record EventsOptions
{
    public const string Usage = "events [--subscribers N] [--boxes N] [--dims N] [--events N] [--window N] [--kill] [--json]\n"
        + "  Events from one emitter to subscribers by ranges, over a host: processes of their own, on this machine.\n"
        + "  --boxes: of all subscribers together (default 40,000, of 100 subscribers).\n"
        + "  --window: events that are under way at a time, until they are delivered to all (default 64).\n"
        + "  --kill: the host's process is killed when half of the events are out, and another takes its place.";

    /// <summary>The subscribers, which are clients of one process. Default 100.</summary>
    public int Subscribers { get; init; } = 100;

    /// <summary>Their boxes. Default 40,000.</summary>
    public int Boxes { get; init; } = 40_000;

    /// <summary>The dimensions. Default 4.</summary>
    public int Dimensions { get; init; } = 4;

    /// <summary>The events that are measured. Default 5,000.</summary>
    public int Events { get; init; } = 5_000;

    /// <summary>The events under way at a time. Default 64.</summary>
    public int Window { get; init; } = 64;

    public bool IsKill { get; init; }

    public bool IsJson { get; init; }

    public int BoxesPerSubscriber => Boxes / Subscribers;

    /// <summary>Null with the error.</summary>
    public static EventsOptions? Parse(string[] args, out string error)
    {
        var options = new EventsOptions();
        error = string.Empty;
        for (int i = 0; i < args.Length; i++)
        {
            if (args[i] is "--json" or "--kill")
            {
                options = args[i] == "--json" ? options with { IsJson = true } : options with { IsKill = true };
                continue;
            }

            int value = 0;
            if (i + 1 == args.Length || !int.TryParse(args[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out value) || value < 1)
            {
                error = $"'{args[i]}': not an option, or no number from 1 behind it.";
                return null;
            }

            switch (args[i++])
            {
                case "--subscribers":
                    options = options with { Subscribers = value };
                    break;
                case "--boxes":
                    options = options with { Boxes = value };
                    break;
                case "--dims":
                    options = options with { Dimensions = value };
                    break;
                case "--events":
                    options = options with { Events = value };
                    break;
                case "--window":
                    options = options with { Window = value };
                    break;
                default:
                    error = $"'{args[i - 1]}' is not an option.";
                    return null;
            }
        }

        error = options.BoxesPerSubscriber is < 1 or > 1_024 ? "A subscriber has 1 to 1,024 boxes." : string.Empty;
        return error.Length == 0 ? options : null;
    }
}
