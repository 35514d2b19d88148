using System.Globalization;
using Ripple.Load.Peers;

namespace Ripple.Load.Push;

/// <summary>What to measure. Immutable.</summary>
internal sealed record PushOptions
{
    public const string Usage = "push [--clients N] [--bytes N] [--count N] [--rate N] [--window N [--seconds N]] [--processes N] [--sdk] "
        + "[--multicast] [--store sqlite|postgres] [--part-members N] [--gathered-parts N] [--probe] [--restart] [--disturb N] [--edit N] "
        + "[--peers FOLDER] [--json]\n"
        + "  Publishes --count values of --bytes at --rate a second to --clients nodes, and measures until the last has each in effect.\n"
        + "  --window: as many as possible instead, with at most that many not yet in effect at all nodes, for --seconds after a warm-up.\n"
        + "  --processes: over how many processes the nodes are spread (default 1, as the subscribers of the peers are).\n"
        + "  --sdk: the clients are .NET hosts with configuration and options, and \"in effect\" is the call of OnChange.\n"
        + "  --multicast: the host sends its streams to groups, on the loopback, where by default each node gets its own by unicast.\n"
        + "  --store: where the host's store is (default sqlite); postgres starts a server, and measures a bare transaction in it too.\n"
        + "  --part-members: the fewest members of a part of a region, each a ring of tokens; as many as --clients for one ring.\n"
        + "  --gathered-parts: of how many parts one leader tells the host, where there are more; without it each leader tells its own.\n"
        + "  --probe: also measures how long a call waits for the host's core, by asking it every 2 ms; "
        + "that itself is a tenth of the host's processor time.\n"
        + "  --restart: starts the host again behind the measured part; what is published once all have come back must reach all too.\n"
        + "  --disturb: in the middle of the publishes other processes keep every core busy for that many seconds; "
        + "measures how soon it is as before.\n"
        + "  --edit: each publish writes so many lines of 40 bytes of the value before it anew, instead of all of it.\n"
        + $"  {PeerFolder.Option}: the folder of a generator (pushbench.cc) that measures etcd, Redis and bare TCP before and after, "
        + $"at the same rate or with the same window;\n"
        + $"    their figures and ratios are added to the JSON. {PeerFolder.Variable} says the folder where the option is not given, "
        + $"else it is shared/peers\n"
        + "    beside the repository, where that is there.";

    /// <summary>Seconds, half of them before it and half behind it.</summary>
    private const int BesideDisturbance = 6;

    /// <summary>Nodes, over all client processes. Default 50.</summary>
    public int Clients { get; init; } = 50;

    /// <summary>The size of the value. Default 1,024.</summary>
    public int Bytes { get; init; } = 1_024;

    /// <summary>Releases measured. Default 300.</summary>
    public int Count { get; init; } = 300;

    /// <summary>Releases a second. Default 20.</summary>
    public double Rate { get; init; } = 20;

    /// <summary>
    /// The most publishes that are not yet in effect at all nodes; 0, the default, publishes at <see cref="Rate"/> instead.
    /// </summary>
    public int Window { get; init; }

    /// <summary>How long is measured when there is a <see cref="Window"/>. Default 10.</summary>
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

    /// <summary>Of how many parts one leader gathers the aggregates; null for the host's default.</summary>
    public int? GatheredParts { get; init; }

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

    /// <summary>Whether the last line is the result as JSON.</summary>
    public bool IsJson { get; init; }

    /// <summary>Null, and what is wrong, for arguments that are not understood.</summary>
    public static PushOptions? Parse(string[] args, out string error)
    {
        var options = new PushOptions();
        for (int i = 0; i < args.Length; i++)
        {
            PushOptions? flagged = args[i] switch
            {
                "--json" => options with { IsJson = true },
                "--multicast" => options with { IsMulticast = true },
                "--probe" => options with { IsProbed = true },
                "--restart" => options with { IsRestart = true },
                "--sdk" => options with { IsSdk = true },
                _ => null,
            };
            if (flagged is not null)
            {
                options = flagged;
                continue;
            }

            if (args[i] == "--store")
            {
                if (i + 1 == args.Length || args[i + 1] is not ("sqlite" or "postgres"))
                {
                    error = "'--store' is followed by sqlite or postgres.";
                    return null;
                }

                options = options with { IsPostgres = args[++i] == "postgres" };
                continue;
            }

            if (i + 1 == args.Length
                || !int.TryParse(args[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out int value)
                || value < 1)
            {
                error = $"'{args[i]}' is not an option, or has no whole number above 0 behind it.";
                return null;
            }

            switch (args[i++])
            {
                case "--clients":
                    options = options with { Clients = value };
                    break;
                case "--bytes":
                    options = options with { Bytes = Math.Max(value, LoadValue.BytesMin) };
                    break;
                case "--count":
                    options = options with { Count = value };
                    break;
                case "--rate":
                    options = options with { Rate = value };
                    break;
                case "--window":
                    options = options with { Window = value };
                    break;
                case "--seconds":
                    options = options with { Seconds = value };
                    break;
                case "--disturb":
                    options = options with { DisturbSeconds = value };
                    break;
                case "--edit":
                    options = options with { EditLines = value };
                    break;
                case "--part-members":
                    options = options with { PartMembers = value };
                    break;
                case "--gathered-parts":
                    options = options with { GatheredParts = value };
                    break;
                case "--processes":
                    options = options with { Processes = value };
                    break;
                default:
                    error = $"'{args[i - 1]}' is not an option.";
                    return null;
            }
        }

        if (options.DisturbSeconds > 0 && (options.Window > 0 || options.Count / options.Rate < options.DisturbSeconds + BesideDisturbance))
        {
            error = $"--disturb takes a rate, and publishes for {BesideDisturbance} s beside the disturbance: set --count to at least "
                + $"{(options.DisturbSeconds + BesideDisturbance) * options.Rate}, without --window.";
            return null;
        }

        if (options.EditLines > 0 && options.IsSdk)
        {
            error = "--edit edits the values of bare clients, and not the settings of --sdk.";
            return null;
        }

        error = string.Empty;
        return options;
    }
}
