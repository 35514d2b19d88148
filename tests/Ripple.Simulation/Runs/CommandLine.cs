using System.Globalization;
using Ripple.Simulation.Scenarios;
using Ripple.Testing.Oracles;

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
          --scenario NAME   what runs (default {ScenarioDefault}): {string.Join(", ", ScenarioTable.Names)}
          --seconds S       simulated seconds of each run (default 60)
          --nodes N         nodes in each run, beside the hosts (default 10)
          --planted [NAME]  break the product by each written mutant (or the named one), and demand that its checker finds it;
                            each has its own scenario and seeds
          --judge RULES     judge more than the scenario does by itself: all, or names separated by commas
          --twice           run each seed twice and demand the same hash of all state
          --threads N       simulations that run side by side (default: one a core); changes no result
          --json            print the last line alone
          --verbose         print each run and its log
        The last line is JSON. Exit code: 0 all well, 1 a violation (or a planted bug not found), 2 a wrong command line.
        """;

    public ulong FirstSeed { get; private init; } = 1;

    public ulong LastSeed { get; private init; } = 20;

    public string ScenarioName { get; private init; } = ScenarioDefault;

    public int Seconds { get; private init; } = SecondsDefault;

    public int Nodes { get; private init; } = NodesDefault;

    /// <summary>What is judged besides the rules of the scenario.</summary>
    public Judges Judges { get; private init; }

    public int Threads { get; private init; } = Environment.ProcessorCount;

    public bool IsJson { get; private init; }

    public bool IsVerbose { get; private init; }

    public bool IsTwice { get; private init; }

    /// <summary>Plant bugs: the named one, or all.</summary>
    public bool IsPlanted { get; private init; }

    /// <summary>The one bug to plant; null for all.</summary>
    public string? PlantedBug { get; private init; }

    public ScenarioOptions Scenario => new()
    {
        Scenario = ScenarioName,
        Seconds = Seconds,
        Nodes = Nodes,
        Judges = Judges,
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
                "--planted" => line with { IsPlanted = true, PlantedBug = value },
                "--seeds" when TryRange(value, out ulong first, out ulong last) => line with { FirstSeed = first, LastSeed = last },
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
                if (name is "--json" or "--verbose" or "--twice")
                {
                    error = $"'{name}' takes no value, but '{value}' follows it.";
                    return null;
                }

                i++;
            }
        }

        return line;
    }

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

    private static bool TryJudges(string? text, out Judges judges)
    {
        judges = Judges.None;
        return text is not null && !text.Any(char.IsAsciiDigit) && Enum.TryParse(text, ignoreCase: true, out judges);
    }

    private static bool TryNumber(string? text, int min, int max, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number >= min && number <= max;
}
