using System.Globalization;
using Ripple.Attacks.Attacks;

namespace Ripple.Attacks.Runs;

/// <summary>What the command line says.</summary>
internal sealed record CommandLine
{
    public const string Usage =
        """
        Usage: Ripple.Attacks [options]
          --attack NAME ...   these attacks alone (default all)
          --list              name the attacks and what they do, and end
          --host PATH         the host attacked: its program, or its Ripple.Gms.Host.dll (default: the one built beside this)
          --sdk FOLDER        where Ripple.Client.dll of the members is, when that host takes another version of the protocol
                              (default: beside the host's own source, if that is built, else this build's)
          --publishes N       publishes of the baseline, and at least as many during the attack (default 300)
          --settle SECONDS    how long after the attack memory is looked at again (default 30)
          --core N            the processor that the attacker runs on (default the last)
          --json              print lines of JSON alone
        Each attack is a line of JSON; the last line sums them up. Exit code: 0 all held, 1 one did not, 2 a wrong command line.
        """;

    public IReadOnlyList<Attack> Attacks { get; private init; } = AttackTable.All;

    public bool IsList { get; private init; }

    public string? Host { get; private init; }

    public string? Sdk { get; private init; }

    public int Publishes { get; private init; } = 300;

    public TimeSpan Settle { get; private init; } = TimeSpan.FromSeconds(30);

    public int Core { get; private init; } = Environment.ProcessorCount - 1;

    public bool IsJson { get; private init; }

    /// <summary>Null, and what is wrong, for arguments that are not understood.</summary>
    public static CommandLine? Parse(string[] args, out string error)
    {
        var line = new CommandLine();
        List<Attack> attacks = [];
        error = string.Empty;
        for (int i = 0; i < args.Length && error.Length == 0; i++)
        {
            string option = args[i];
            switch (option)
            {
                case "--json":
                    line = line with { IsJson = true };
                    break;
                case "--list":
                    line = line with { IsList = true };
                    break;
                case "--attack":
                    error = TakeNames(args, ref i, attacks);
                    break;
                case "--host" or "--sdk" when i + 1 < args.Length:
                    string path = Path.GetFullPath(args[++i]);
                    line = option == "--host" ? line with { Host = path } : line with { Sdk = path };
                    break;
                case "--publishes" or "--settle" or "--core" when i + 1 < args.Length
                    && int.TryParse(args[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out int number):
                    i++;
                    line = option switch
                    {
                        "--publishes" => line with { Publishes = Math.Max(1, number) },
                        "--settle" => line with { Settle = TimeSpan.FromSeconds(number) },
                        _ => line with { Core = Math.Min(number, Environment.ProcessorCount - 1) },
                    };
                    break;
                default:
                    error = $"'{option}' is not an option, or misses what belongs behind it.";
                    break;
            }
        }

        return error.Length > 0 ? null : attacks.Count > 0 ? line with { Attacks = attacks } : line;
    }

    private static string TakeNames(string[] args, ref int i, List<Attack> attacks)
    {
        int before = attacks.Count;
        while (i + 1 < args.Length && !args[i + 1].StartsWith("--", StringComparison.Ordinal))
        {
            string name = args[++i];
            if (AttackTable.All.FirstOrDefault(a => a.Name == name) is not { } attack)
            {
                return $"There is no attack '{name}': {string.Join(", ", AttackTable.All.Select(a => a.Name))}.";
            }

            attacks.Add(attack);
        }

        return attacks.Count > before ? string.Empty : "--attack takes names; --list says which there are.";
    }
}
