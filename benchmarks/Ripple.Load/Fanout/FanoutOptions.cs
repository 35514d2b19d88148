using System.Globalization;
using Ripple.Load.Fanout.Messages;

namespace Ripple.Load.Fanout;

/// <summary>What to measure. Immutable.</summary>
internal sealed record FanoutOptions
{
    public const string Usage = "fanout [--receivers N[,N...]] [--bytes N] [--multicast | --unicast] [--netns] "
        + "[--no-trains] [--seal aes-gcm|none]\n"
        + "       [--rate N] [--seconds N] [--alternations N] [--topics N[,N...]] [--loss PERCENT] [--owners N]\n"
        + "       [--raw | --no-raw] [--json]\n"
        + "  One sender and so many receivers in one other process: deliveries a second through the engine, "
        + "and through the same sockets without it, in turn.\n"
        + "  --netns: each receiver in a network namespace of its own, on one bridge; takes root and iproute2. "
        + "Else all are on the loopback.\n"
        + "  --rate: so many messages a second, and the time of each from the sender to the check at each receiver.\n"
        + "  --topics: so many, in turn (default 8); of several numbers each is measured in its turn, and compared with the first.\n"
        + "  --loss: so many of a hundred datagrams are lost at the sender; without the raw side unless it is asked for.\n"
        + "  --owners: how many receivers keep each packet for the others (default 5; 0: the sender repairs all).\n"
        + "  --seconds: measured time of each side, over all alternations (default 10, in 5). --seal none is of this benchmark only.";

    private const int ReceiversMax = 1_000;
    private const int BytesMax = 64 << 20;
    private const int TopicsMax = 100_000;
    private const int TopicsCountMax = 8;

    /// <summary>Numbers of receivers, one row each. Default 32.</summary>
    public int[] Receivers { get; init; } = [32];

    /// <summary>The size of a message. Default 1,000.</summary>
    public int Bytes { get; init; } = 1_000;

    /// <summary>One datagram reaches all. Default false: each receiver gets its own.</summary>
    public bool IsMulticast { get; init; }

    /// <summary>Each receiver in a network namespace.</summary>
    public bool IsNetns { get; init; }

    /// <summary>Many packets a call. Default true.</summary>
    public bool AreTrainsUsed { get; init; } = true;

    /// <summary>Packets are sealed. Default true.</summary>
    public bool IsSealed { get; init; } = true;

    /// <summary>Messages a second; 0 (the default): as many as pass.</summary>
    public double Rate { get; init; }

    /// <summary>Measured seconds of each side. Default 10.</summary>
    public double Seconds { get; init; } = 10;

    /// <summary>How often both sides take turns. Default 5.</summary>
    public int Alternations { get; init; } = 5;

    /// <summary>Numbers of topics, one row each, measured in turn. Default 8.</summary>
    public int[] Topics { get; init; } = [8];

    /// <summary>Of a hundred datagrams, so many are lost at the sender. Default 0.</summary>
    public double LossPercent { get; init; }

    /// <summary>How many receivers keep each packet for the others; 0 for none. Default 5.</summary>
    public int Owners { get; init; } = 5;

    /// <summary>Whether the raw side is measured. Default: unless datagrams are lost on purpose.</summary>
    public bool IsRawMeasured { get; init; } = true;

    /// <summary>Whether the last line is the result as JSON.</summary>
    public bool IsJson { get; init; }

    /// <summary>Null, and what is wrong, for arguments that are not understood.</summary>
    public static FanoutOptions? Parse(ReadOnlySpan<string> args, out string error)
    {
        var options = new FanoutOptions();
        bool isUnicast = false;
        bool? isRaw = null;
        for (int i = 0; i < args.Length; i++)
        {
            string name = args[i];
            switch (name)
            {
                case "--json":
                    options = options with { IsJson = true };
                    continue;
                case "--netns":
                    options = options with { IsNetns = true };
                    continue;
                case "--multicast":
                    options = options with { IsMulticast = true };
                    continue;
                case "--unicast":
                    isUnicast = true;
                    continue;
                case "--no-trains":
                    options = options with { AreTrainsUsed = false };
                    continue;
                case "--raw" or "--no-raw":
                    isRaw = name == "--raw";
                    continue;
            }

            if (i + 1 == args.Length)
            {
                error = $"'{name}' is not an option, or has no value behind it.";
                return null;
            }

            if (TrySet(ref options, name, args[++i]) is { } wrong)
            {
                error = wrong;
                return null;
            }
        }

        if (isUnicast && options.IsMulticast)
        {
            error = "--multicast and --unicast exclude each other.";
            return null;
        }

        if (options.Rate > 0 && Piece.CountOf(options.Bytes) > 1)
        {
            error = $"--rate takes messages of at most {Piece.BytesMax} bytes: larger ones travel in pieces, whose times are not one time.";
            return null;
        }

        error = string.Empty;
        return options with { IsRawMeasured = isRaw ?? options.LossPercent == 0 };
    }

    /// <summary>What is wrong; null when nothing is.</summary>
    private static string? TrySet(ref FanoutOptions options, string name, string text)
    {
        double value = 0;
        if (name is not ("--receivers" or "--topics" or "--seal")
            && !double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out value))
        {
            return $"'{name} {text}': not an option, or not a number.";
        }

        switch (name)
        {
            case "--receivers":
                options = options with { Receivers = NumbersOf(text) };
                return options.Receivers.All(n => n is >= 1 and <= ReceiversMax)
                    ? null
                    : $"'--receivers {text}': whole numbers from 1 to {ReceiversMax}, with commas between them.";
            case "--seal":
                options = options with { IsSealed = text != "none" };
                return text is "none" or "aes-gcm" ? null : $"'--seal {text}': aes-gcm or none.";
            case "--bytes":
                options = options with { Bytes = (int)value };
                return value is >= Piece.BytesMin and <= BytesMax ? null : $"'--bytes {text}': from {Piece.BytesMin} to {BytesMax}.";
            case "--rate":
                options = options with { Rate = value };
                return value is > 0 and <= 1e6 ? null : $"'--rate {text}': messages a second, above 0 and up to 1,000,000.";
            case "--seconds":
                options = options with { Seconds = value };
                return value is >= 0.5 and <= 86_400 ? null : $"'--seconds {text}': from 0.5 to 86,400.";
            case "--alternations":
                options = options with { Alternations = (int)value };
                return value is >= 1 and <= 100 ? null : $"'--alternations {text}': from 1 to 100.";
            case "--topics":
                options = options with { Topics = NumbersOf(text) };
                return options.Topics.Length <= TopicsCountMax && options.Topics.All(n => n is >= 1 and <= TopicsMax)
                    ? null
                    : $"'--topics {text}': up to {TopicsCountMax} whole numbers from 1 to {TopicsMax}, with commas between them.";
            case "--owners":
                options = options with { Owners = (int)value };
                return value is >= 0 and <= 16 ? null : $"'--owners {text}': from 0 to 16.";
            case "--loss":
                options = options with { LossPercent = value };
                return value is >= 0 and <= 50 ? null : $"'--loss {text}': percent, from 0 to 50.";
            default:
                return $"'{name}' is not an option.";
        }
    }

    /// <summary>Numbers with commas between them; 0 for what is none.</summary>
    private static int[] NumbersOf(string text) =>
        [.. text.Split(',').Select(t => int.TryParse(t, NumberStyles.None, CultureInfo.InvariantCulture, out int n) ? n : 0)];
}
