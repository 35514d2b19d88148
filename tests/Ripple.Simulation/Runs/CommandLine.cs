using System.Globalization;
using System.Security.Cryptography;
using Ripple.Simulation.Scenarios;
using Ripple.Testing.Oracles;
using Ripple.Testing.Scripts;

namespace Ripple.Simulation.Runs;

/// <summary>What the command line says.</summary>
internal sealed record CommandLine
{
    public const string ScenarioDefault = HostScenario.Name;
    public const int SecondsDefault = 60;
    public const int NodesDefault = 10;

    public static readonly string Usage =
        $"""
        Usage: Ripple.Simulation [options]
          --seeds A..B      the seeds to run (default 1..20); A alone is A..A
          --random N        N seeds from a start that is drawn and printed: "first_seed" of the last line, and before the first run
          --scenario NAME   what runs (default {ScenarioDefault}): {string.Join(", ", ScenarioTable.Names)}
          --seconds S       simulated seconds of each run (default 60)
          --nodes N         nodes in each run, beside the hosts (default 10)
          --planted [NAME]  break the product by each written mutant (or the named one), and demand that its checker finds it;
                            each has its own scenario and seeds
          --judge RULES     judge more than the scenario does by itself: all, or names separated by commas
          --twice           run each seed twice and demand the same hash of all state
          --threads N       simulations that run side by side (default: one a core); changes no result
          --shrink          take away faults, nodes and publishes of the first seed that fails, as long as it fails by the same checker
          --keep-faults SET, --keep-nodes SET, --keep-publishes SET
                            run without the others: names separated by commas, numbers in a row as 3-7, or none
          --trace FILE      write what happens in the first seed that fails, or else in the first: lines of JSON to FILE and a page
                            that draws them to FILE.html; the page alone if FILE ends so
          --messages        have datagrams and control frames in the trace, too
          --json            print the last line alone
          --verbose         print each run and its log
        The last line is JSON. Exit code: 0 all well, 1 a violation (or a mutant not found), 2 a wrong command line.
        """;

    public ulong FirstSeed { get; private init; } = 1;

    public ulong LastSeed { get; private init; } = 20;

    /// <summary>Whether the seeds begin where chance has it.</summary>
    public bool IsDrawn { get; private init; }

    public string ScenarioName { get; private init; } = ScenarioDefault;

    public int Seconds { get; private init; } = SecondsDefault;

    public int Nodes { get; private init; } = NodesDefault;

    /// <summary>What is judged besides the rules of the scenario.</summary>
    public Judges Judges { get; private init; }

    public int Threads { get; private init; } = Environment.ProcessorCount;

    public bool IsJson { get; private init; }

    public bool IsVerbose { get; private init; }

    public bool IsTwice { get; private init; }

    /// <summary>Break the product by written mutants: the named one, or all.</summary>
    public bool IsPlanted { get; private init; }

    /// <summary>The one mutant to plant; null for all.</summary>
    public string? PlantedName { get; private init; }

    /// <summary>The options that keep items, each with the kind.</summary>
    public static IReadOnlyList<(string Option, RunItem Item)> KeepOptions { get; } =
    [
        ("--keep-faults", RunItem.Fault),
        ("--keep-nodes", RunItem.Node),
        ("--keep-publishes", RunItem.Publish),
    ];

    /// <summary>Shrink the first seed that fails.</summary>
    public bool IsShrinking { get; private init; }

    /// <summary>The file for the trace; null for none.</summary>
    public string? TracePath { get; private init; }

    /// <summary>Whether the trace has messages.</summary>
    public bool HasMessages { get; private init; }

    /// <summary>The items that are kept.</summary>
    public RunExcerpt Excerpt { get; private init; } = RunExcerpt.All;

    public ScenarioOptions Scenario => new()
    {
        Scenario = ScenarioName,
        Seconds = Seconds,
        Nodes = Nodes,
        Judges = Judges,
        Excerpt = Excerpt,
        IsVerbose = IsVerbose,
    };

    /// <summary>Reads the arguments; null, with what is wrong, when they are no command.</summary>
    public static CommandLine? Parse(IReadOnlyList<string> arguments, out string error)
    {
        var line = new CommandLine();
        error = "";
        for (int i = 0; i < arguments.Count; i++)
        {
            string name = arguments[i];
            string? value = i + 1 < arguments.Count && !arguments[i + 1].StartsWith('-') ? arguments[i + 1] : null;
            CommandLine? next = name switch
            {
                "--json" => line with { IsJson = true },
                "--verbose" => line with { IsVerbose = true },
                "--twice" => line with { IsTwice = true },
                "--shrink" => line with { IsShrinking = true },
                "--messages" => line with { HasMessages = true },
                "--trace" when value is not null => line with { TracePath = value },
                "--keep-faults" or "--keep-nodes" or "--keep-publishes" when TryExcerpt(line.Excerpt, name, value) is { } kept =>
                    line with { Excerpt = kept },
                "--planted" => line with { IsPlanted = true, PlantedName = value },
                "--seeds" when TryRange(value, out ulong first, out ulong last) => line with { FirstSeed = first, LastSeed = last },
                "--random" when TryNumber(value, 1, 1_000_000, out int count) => line.WithSeedsFrom(DrawStart(), count),
                "--scenario" when value is not null && ScenarioTable.Names.Contains(value) => line with { ScenarioName = value },
                "--seconds" when TryNumber(value, 1, 86_400, out int seconds) => line with { Seconds = seconds },
                "--nodes" when TryNumber(value, 1, 2_000, out int nodes) => line with { Nodes = nodes },
                "--judge" when TryJudges(value, out Judges judges) => line with { Judges = judges },
                "--threads" when TryNumber(value, 1, 1_024, out int threads) => line with { Threads = threads },
                _ => null,
            };
            if (next is null)
            {
                error = $"'{name}{(value is null ? "" : " ")}{value}' is no option of this program, or its value is missing or wrong.";
                return null;
            }

            line = next;
            if (value is not null)
            {
                if (name is "--json" or "--verbose" or "--twice" or "--shrink" or "--messages")
                {
                    error = $"'{name}' takes no value, but '{value}' follows it.";
                    return null;
                }

                i++;
            }
        }

        return line;
    }

    private CommandLine WithSeedsFrom(ulong first, int count) =>
        this with { FirstSeed = first, LastSeed = first + (ulong)count - 1, IsDrawn = true };

    /// <summary>Beyond all seeds that anybody names.</summary>
    private static ulong DrawStart() => (ulong)RandomNumberGenerator.GetInt32(10_000_000, int.MaxValue);

    private static bool TryRange(string? text, out ulong first, out ulong last)
    {
        first = last = 0;
        string[] parts = text?.Split("..") ?? [];
        return parts.Length is 1 or 2
            && ulong.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out first)
            && ulong.TryParse(parts[^1], NumberStyles.None, CultureInfo.InvariantCulture, out last)
            && first <= last
            && last - first < 1_000_000;
    }

    private static RunExcerpt? TryExcerpt(RunExcerpt excerpt, string option, string? text) =>
        text is not null && ItemNames.Parse(text) is { } names
            ? excerpt.With(KeepOptions.First(o => o.Option == option).Item, names)
            : null;

    private static bool TryJudges(string? text, out Judges judges)
    {
        judges = Judges.None;
        return text is not null && !text.Any(char.IsAsciiDigit) && Enum.TryParse(text, ignoreCase: true, out judges);
    }

    private static bool TryNumber(string? text, int min, int max, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number >= min && number <= max;
}
