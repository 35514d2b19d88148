using System.Globalization;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Commands;

/// <summary>What the command line says.</summary>
internal sealed record CommandLine
{
    public const string Usage =
        """
        Usage: Ripple.Mutants [options]
          --list             print the mutants, and end
          --room R           only those of this room
          --only ID          only this one
          --sample N         N of them, spread evenly over rooms and kinds
          --without-tests    do not look for them with tests
          --without-simulator  do not look for them with the simulator
          --resume FILE      keep the verdicts in this file, and do not judge again what is in it
          --hours H          stop after this time and say what is left (default 4)
          --planted [ID]     demand of the simulator that the checker meant for it finds each written mutant (or this one)
          --draw             draw the list anew from the seed at its head; with --room that room alone
          --seed S           draw with this seed
          --json             print lines of JSON, and what is going on to the error stream alone
        The last line is JSON. Exit code: 0 all were seen, 1 some were not, 2 a wrong command line, 3 the sources or the build are not fit.
        """;

    private const double HoursDefault = 4;
    private const double HoursMax = 1_000;

    public bool IsJson { get; private init; }

    public bool IsList { get; private init; }

    public bool IsDraw { get; private init; }

    /// <summary>Draw with this seed; null for that of the list.</summary>
    public int? Seed { get; private init; }

    public bool IsPlanted { get; private init; }

    /// <summary>The one written mutant to plant; null for all.</summary>
    public string? PlantedName { get; private init; }

    public bool HasTests { get; private init; } = true;

    public bool HasSimulator { get; private init; } = true;

    /// <summary>How many mutants to take; null for all.</summary>
    public int? SampleCount { get; private init; }

    public string? Only { get; private init; }

    public string? Room { get; private init; }

    public string? ResumePath { get; private init; }

    public TimeSpan TimeMax { get; private init; } = TimeSpan.FromHours(HoursDefault);

    /// <summary>Reads the arguments; null, with what is wrong, when they are no command.</summary>
    public static CommandLine? Parse(IReadOnlyList<string> arguments, out string error)
    {
        var line = new CommandLine();
        error = "";
        for (int i = 0; i < arguments.Count; i++)
        {
            string? value = i + 1 < arguments.Count && !arguments[i + 1].StartsWith('-') ? arguments[i + 1] : null;
            CommandLine? next = line.With(arguments[i], value) ?? line.With(arguments[i]);
            if (next is null || (value is not null && line.With(arguments[i], value) is null))
            {
                string what = value is null ? arguments[i] : $"{arguments[i]} {value}";
                error = $"'{what}' is no option of this program, or its value is missing or wrong.";
                return null;
            }

            line = next;
            i += value is null ? 0 : 1;
        }

        return line;
    }

    /// <summary>The mutants that the command line asks for.</summary>
    public List<Mutant> Choose(MutantList list)
    {
        List<Mutant> mutants = [.. list.Mutants.Where(m => (Only is null || m.Id == Only) && (Room is null || m.Room == Room))];
        if (mutants.Count == 0)
        {
            throw new MutantException($"No mutant is called '{Only}' or in a room '{Room}'; --list names them.");
        }

        return SampleCount is { } count ? Sample.Of(mutants, count) : mutants;
    }

    private CommandLine? With(string name, string? value) => name switch
    {
        "--planted" => this with { IsPlanted = true, PlantedName = value },
        "--only" when value is not null => this with { Only = value },
        "--room" when value is not null => this with { Room = value },
        "--resume" when value is not null => this with { ResumePath = Path.GetFullPath(value) },
        "--sample" when TryNumber(value, out int count) => this with { SampleCount = count },
        "--seed" when TryNumber(value, out int seed) => this with { Seed = seed },
        "--hours" when double.TryParse(value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double hours)
            && hours is > 0 and <= HoursMax => this with { TimeMax = TimeSpan.FromHours(hours) },
        _ => null,
    };

    private CommandLine? With(string name) => name switch
    {
        "--json" => this with { IsJson = true },
        "--list" => this with { IsList = true },
        "--draw" => this with { IsDraw = true },
        "--planted" => this with { IsPlanted = true },
        "--without-tests" => this with { HasTests = false },
        "--without-simulator" => this with { HasSimulator = false },
        _ => null,
    };

    private static bool TryNumber(string? text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number > 0;
}
