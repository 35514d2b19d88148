using System.Globalization;
using Ripple.Load.Peers;

namespace Ripple.Load.Push;

/// <summary>What to measure. Immutable.</summary>
internal sealed record PushOptions
{
    public const string Usage = "push [--clients N] [--bytes N] [--count N] [--rate N] [--window N [--seconds N]] [--processes N] [--sdk] "
        + "[--multicast] [--store sqlite|postgres] [--part-members N] [--aggregate-datagrams N] [--probe] [--restart] [--disturb N]\n"
        + "       [--edit N] [--beside BYTES] [--history FILE] [--stall MS] [--deaf] [--peers FOLDER] [--json]\n"
        + "  Publishes --count values of --bytes at --rate a second to --clients nodes, and measures until the last has each in effect.\n"
        + "  --window: as many as possible instead, with at most that many not yet in effect at all nodes, for --seconds after a warm-up.\n"
        + "  --processes: over how many processes the nodes are spread (default 1, as the subscribers of the peers are).\n"
        + "  --sdk: the clients are .NET hosts with configuration and options, and \"in effect\" is the call of OnChange.\n"
        + "  --multicast: the host sends its streams to groups, on the loopback, where by default each node gets its own by unicast.\n"
        + "  --store: where the host's store is (default sqlite); postgres starts a server, and measures a bare transaction in it too.\n"
        + "  --part-members: the fewest members of a part of a region, each a ring of tokens; as many as --clients for one ring.\n"
        + "  --aggregate-datagrams: in how many datagrams parts tell the host a round, if they fit; without it each leader tells its own.\n"
        + "  --probe: also measures how long a call waits for the host's core, by asking it every 2 ms; "
        + "that itself is a tenth of the host's processor time.\n"
        + "  --restart: starts the host again behind the measured part; what is published once all have come back must reach all too.\n"
        + "  --disturb: in the middle of the publishes other processes keep every core busy for that many seconds; "
        + "measures how soon it is as before.\n"
        + "  --edit: each publish writes so many lines of 40 bytes of the value before it anew, instead of all of it.\n"
        + "  --beside: another application of the same host and nodes is released 20 times a second, with values of so many bytes; "
        + "measures it without and with the releases of --bytes.\n"
        + "  --history: publishes the versions of a document, one a release, and compares what each node has of each, byte for byte. FILE "
        + "has lines of JSON,\n"
        + "    gzip or not, each with a whole version as text under \"content\", the oldest first; --count takes so many of them.\n"
        + "  --stall: of --processes (10 or more) one, and then a tenth, is stopped for so many ms in every 5 s; measures what the others "
        + "take meanwhile\n"
        + "    at --rate, or at half of what all can take, each for --seconds (default 20).\n"
        + "  --deaf: of --processes (10 or more) one takes no UDP any more, behind --seconds (default 20) at --rate; measures how soon it "
        + "is a leaf, and for\n    --seconds more how far behind the others it is then, and what they take.\n"
        + $"  {PeerFolder.Option}: the folder of a generator (pushbench.cc) that measures etcd, Redis and bare TCP before and after, "
        + $"at the same rate or with the same window;\n"
        + $"    their figures and ratios are added to the JSON. {PeerFolder.Variable} says the folder where the option is not given, "
        + $"else it is shared/peers\n"
        + "    beside the repository, where that is there.";

    /// <summary>Releases a second where nothing else is said.</summary>
    public const double RateDefault = 20;

    /// <summary>Every so many seconds processes are stopped.</summary>
    public const int StallPeriodSeconds = 5;

    /// <summary>So many processes, of which a tenth is stopped, are the fewest.</summary>
    public const int StallProcessesMin = 10;

    /// <summary>Seconds, half of them before it and half behind it.</summary>
    private const int BesideDisturbance = 6;

    private const int PartSeconds = 20;

    /// <summary>What options cannot be combined with, by option.</summary>
    private static readonly Dictionary<string, string[]> Excluded = new(StringComparer.Ordinal)
    {
        ["--history"] =
        [
            "--stall", "--beside", "--bytes", "--edit", "--window", "--seconds", "--sdk", "--restart", "--disturb", PeerFolder.Option,
        ],
        ["--stall"] = ["--beside", "--count", "--window", "--sdk", "--restart", "--disturb", PeerFolder.Option],
        ["--deaf"] =
        [
            "--stall", "--history", "--beside", "--multicast", "--count", "--window", "--sdk", "--restart", "--disturb", PeerFolder.Option,
        ],
        ["--beside"] = ["--window", "--seconds", "--sdk", "--restart", "--disturb", PeerFolder.Option],
    };

    /// <summary>Nodes, over all client processes. Default 50.</summary>
    public int Clients { get; init; } = 50;

    /// <summary>The size of the value. Default 1,024.</summary>
    public int Bytes { get; init; } = 1_024;

    /// <summary>Releases measured. Default 300; with <see cref="History"/> all of it.</summary>
    public int Count { get; init; } = 300;

    /// <summary>Releases a second. Default 20; 0 with <see cref="StallMs"/>: half of what all nodes can take.</summary>
    public double Rate { get; init; } = RateDefault;

    /// <summary>
    /// The most publishes that are not yet in effect at all nodes; 0, the default, publishes at <see cref="Rate"/> instead.
    /// </summary>
    public int Window { get; init; }

    /// <summary>
    /// How long is measured when there is a <see cref="Window"/> (default 10), <see cref="StallMs"/> or <see cref="IsDeaf"/> (20).
    /// </summary>
    public int Seconds { get; init; } = 10;

    /// <summary>Over how many processes the nodes are spread. Default 1, as the peers' subscribers are.</summary>
    public int Processes { get; init; } = 1;

    /// <summary>Whether the clients are .NET hosts with reloading options, rather than bare clients.</summary>
    public bool IsSdk { get; init; }

    /// <summary>Whether the host sends its streams by multicast.</summary>
    public bool IsMulticast { get; init; }

    /// <summary>Whether the host's store is in a PostgreSQL database.</summary>
    public bool IsPostgres { get; init; }

    /// <summary>The fewest members of a part of a region; null for the host's default.</summary>
    public int? PartMembers { get; init; }

    /// <summary>In how many datagrams parts tell the host a round; null for the host's default.</summary>
    public int? AggregateDatagramsMax { get; init; }

    /// <summary>Whether the host's core is asked every 2 ms.</summary>
    public bool IsProbed { get; init; }

    /// <summary>Whether the host is started again behind the measured part.</summary>
    public bool IsRestart { get; init; }

    /// <summary>
    /// For how many seconds other processes keep every core busy in the middle of the publishes; 0, the default: not at all.
    /// </summary>
    public int DisturbSeconds { get; init; }

    /// <summary>How many lines of the value before it each publish writes anew; 0, the default: all of it.</summary>
    public int EditLines { get; init; }

    /// <summary>The size of the values of an application that is released beside it; 0, the default: there is none.</summary>
    public int BesideBytes { get; init; }

    /// <summary>The file with the versions to publish; null, the default: values are made.</summary>
    public string? History { get; init; }

    /// <summary>For how many milliseconds processes are stopped, again and again; 0, the default: none is.</summary>
    public int StallMs { get; init; }

    /// <summary>Whether one process takes no UDP any more.</summary>
    public bool IsDeaf { get; init; }

    /// <summary>Whether this is measured with something that the generator of the peers does not have.</summary>
    public bool IsWithoutPeers => BesideBytes > 0 || History is not null || StallMs > 0 || IsDeaf;

    /// <summary>Whether the last line is the result as JSON.</summary>
    public bool IsJson { get; init; }

    /// <summary>Null, and what is wrong, for arguments that are not understood.</summary>
    public static PushOptions? Parse(string[] args, out string error)
    {
        var options = new PushOptions();
        var given = new HashSet<string>(StringComparer.Ordinal);
        for (int i = 0; i < args.Length; i++)
        {
            string name = args[i];
            given.Add(name);
            if (Flagged(options, name) is { } flagged)
            {
                options = flagged;
                continue;
            }

            string? text = i + 1 < args.Length ? args[++i] : null;
            if (TrySet(ref options, name, text) is { } wrong)
            {
                error = wrong;
                return null;
            }
        }

        options = options with
        {
            Count = options.History is not null && !given.Contains("--count") ? int.MaxValue : options.Count,
            Rate = options.StallMs > 0 && !given.Contains("--rate") ? 0 : options.Rate,
            Seconds = (options.StallMs > 0 || options.IsDeaf) && !given.Contains("--seconds") ? PartSeconds : options.Seconds,
        };
        error = WrongTogether(given) ?? WrongOf(options) ?? string.Empty;
        return error.Length == 0 ? options : null;
    }

    /// <summary>With an option that has no value; null when it is none of those.</summary>
    private static PushOptions? Flagged(PushOptions options, string name) => name switch
    {
        "--deaf" => options with { IsDeaf = true },
        "--json" => options with { IsJson = true },
        "--multicast" => options with { IsMulticast = true },
        "--probe" => options with { IsProbed = true },
        "--restart" => options with { IsRestart = true },
        "--sdk" => options with { IsSdk = true },
        _ => null,
    };

    /// <summary>What is wrong with an option and the word behind it; null when nothing is.</summary>
    private static string? TrySet(ref PushOptions options, string name, string? text)
    {
        switch (name)
        {
            case "--store":
                options = options with { IsPostgres = text == "postgres" };
                return text is "sqlite" or "postgres" ? null : "'--store' is followed by sqlite or postgres.";
            case "--history":
                options = options with { History = text };
                return text is null ? "'--history' is followed by a file with the versions of a document." : null;
            case PeerFolder.Option:
                // PeerFolder finds its folder; here it is only known, for what it cannot be combined with.
                return null;
        }

        int value = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : 0;
        PushOptions? set = name switch
        {
            "--clients" => options with { Clients = value },
            "--bytes" => options with { Bytes = Math.Max(value, LoadValue.BytesMin) },
            "--count" => options with { Count = value },
            "--rate" => options with { Rate = value },
            "--window" => options with { Window = value },
            "--seconds" => options with { Seconds = value },
            "--disturb" => options with { DisturbSeconds = value },
            "--edit" => options with { EditLines = value },
            "--part-members" => options with { PartMembers = value },
            "--aggregate-datagrams" => options with { AggregateDatagramsMax = value },
            "--processes" => options with { Processes = value },
            "--beside" => options with { BesideBytes = Math.Max(value, LoadValue.BytesMin) },
            "--stall" => options with { StallMs = value },
            _ => null,
        };
        options = set ?? options;
        return set is null
            ? $"'{name}' is not an option."
            : value < 1 ? $"'{name}' is followed by a whole number above 0, and not by '{text ?? "nothing"}'." : null;
    }

    private static string? WrongTogether(HashSet<string> given)
    {
        foreach ((string name, string[] excluded) in Excluded)
        {
            if (given.Contains(name) && excluded.FirstOrDefault(given.Contains) is { } other)
            {
                return $"{name} and {other} exclude each other: leave one of them out.";
            }
        }

        return null;
    }

    private static string? WrongOf(PushOptions options)
    {
        if (options.DisturbSeconds > 0 && (options.Window > 0 || options.Count / options.Rate < options.DisturbSeconds + BesideDisturbance))
        {
            return $"--disturb takes a rate, and publishes for {BesideDisturbance} s beside the disturbance: set --count to at least "
                + $"{(options.DisturbSeconds + BesideDisturbance) * options.Rate}, without --window.";
        }

        if (options.EditLines > 0 && options.IsSdk)
        {
            return "--edit edits the values of bare clients, and not the settings of --sdk.";
        }

        if (options.IsDeaf && Math.Min(options.Processes, options.Clients) < StallProcessesMin)
        {
            return $"--deaf is for one of many processes: set --processes and --clients to at least {StallProcessesMin}.";
        }

        if (options.StallMs == 0)
        {
            return null;
        }

        if (options.StallMs >= StallPeriodSeconds * 1_000)
        {
            return $"'--stall {options.StallMs}': processes are stopped every {StallPeriodSeconds} s, for less than that: below "
                + $"{StallPeriodSeconds * 1_000} ms.";
        }

        if (Math.Min(options.Processes, options.Clients) < StallProcessesMin)
        {
            return $"--stall stops a tenth of the processes: set --processes and --clients to at least {StallProcessesMin}.";
        }

        return options.Seconds < StallPeriodSeconds
            ? $"--stall stops processes every {StallPeriodSeconds} s: set --seconds to at least {StallPeriodSeconds}."
            : null;
    }
}
