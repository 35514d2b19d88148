using System.Globalization;
using Ripple.Engine.Matching;

namespace Ripple.Load.Matching;

/// <summary>What to measure. Immutable.</summary>
internal sealed record MatchOptions
{
    public const string Usage = "match [--boxes N] [--dims N] [--buckets N] [--changes N] [--seconds N] [--alternations N] "
        + "[--ceiling FILE] [--json]\n"
        + "  Events matched with boxes on one core, in a second: through the index, through the index while boxes change, and by a scan.\n"
        + "  --changes: boxes that go, each with one that comes, a second (default 20,000).\n"
        + "  --ceiling: a program in C that does the same in 4 dimensions, to be compared with. It is compiled with cc, is given\n"
        + "  the number of boxes, and prints 'N ev/s' for each of its ways; the highest counts. Left out for other numbers of dimensions.\n"
        + "  --seconds: measured time of each side, over all alternations (default 5, in 10).";

    private const int BoxesMax = 4_000_000;

    /// <summary>The boxes. Default 40,000.</summary>
    public int Boxes { get; init; } = 40_000;

    /// <summary>The dimensions. Default 4.</summary>
    public int Dimensions { get; init; } = 4;

    /// <summary>The buckets of each dimension. Default: the index's.</summary>
    public int Buckets { get; init; } = new BoxIndexOptions().BucketsMax;

    /// <summary>Boxes that are replaced in a second. Default 20,000.</summary>
    public double ChangesS { get; init; } = 20_000;

    /// <summary>Measured seconds of each side. Default 5.</summary>
    public double Seconds { get; init; } = 5;

    /// <summary>How often the sides take turns. Default 10.</summary>
    public int Alternations { get; init; } = 10;

    /// <summary>The source of the program to be compared with; null for none.</summary>
    public string? Ceiling { get; init; }

    /// <summary>Whether the last line is the result as JSON.</summary>
    public bool IsJson { get; init; }

    /// <summary>Null, and what is wrong, for arguments that are not understood.</summary>
    public static MatchOptions? Parse(ReadOnlySpan<string> args, out string error)
    {
        var options = new MatchOptions();
        for (int i = 0; i < args.Length; i++)
        {
            string name = args[i];
            if (name == "--json")
            {
                options = options with { IsJson = true };
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

        error = string.Empty;
        return options;
    }

    /// <summary>What is wrong; null when nothing is.</summary>
    private static string? TrySet(ref MatchOptions options, string name, string text)
    {
        double value = 0;
        if (name != "--ceiling" && !double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out value))
        {
            return $"'{name} {text}': not an option, or not a number.";
        }

        switch (name)
        {
            case "--ceiling":
                options = options with { Ceiling = text };
                return File.Exists(text) ? null : $"'--ceiling {text}': there is no such file.";
            case "--boxes":
                options = options with { Boxes = (int)value };
                return value is >= 1 and <= BoxesMax ? null : $"'--boxes {text}': from 1 to {BoxesMax}.";
            case "--dims":
                options = options with { Dimensions = (int)value };
                return value is >= 1 and <= AttributeSpace.DimensionsMax
                    ? null
                    : $"'--dims {text}': from 1 to {AttributeSpace.DimensionsMax}.";
            case "--buckets":
                options = options with { Buckets = (int)value };
                return value is >= 1 and <= BoxIndexOptions.BucketsLimit
                    ? null
                    : $"'--buckets {text}': from 1 to {BoxIndexOptions.BucketsLimit}.";
            case "--changes":
                options = options with { ChangesS = value };
                return value is > 0 and <= 1e6 ? null : $"'--changes {text}': changes a second, above 0 and up to 1,000,000.";
            case "--seconds":
                options = options with { Seconds = value };
                return value is >= 0.1 and <= 3_600 ? null : $"'--seconds {text}': from 0.1 to 3,600.";
            case "--alternations":
                options = options with { Alternations = (int)value };
                return value is >= 1 and <= 100 ? null : $"'--alternations {text}': from 1 to 100.";
            default:
                return $"'{name}' is not an option.";
        }
    }
}
