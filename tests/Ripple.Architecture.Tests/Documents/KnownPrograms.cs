using System.CommandLine;
using System.Reflection;
using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests.Documents;

/// <summary>
/// The programs of the repository with their commands and options: two from their trees of commands, the others from source.
/// </summary>
internal sealed partial class KnownPrograms
{
    public const string CommandLine = "ripple";
    public const string Host = "ripple-host";

    /// <summary>Where the options of a program without a tree are read.</summary>
    private static readonly (string Name, string Source)[] Plain =
    [
        ("push", "benchmarks/Ripple.Load/Push/PushOptions.cs"),
        ("fanout", "benchmarks/Ripple.Load/Fanout/FanoutOptions.cs"),
        ("match", "benchmarks/Ripple.Load/Matching/MatchOptions.cs"),
        ("events", "benchmarks/Ripple.Load/Events/EventsOptions.cs"),
        ("cluster", "benchmarks/Ripple.Load/Cluster/ClusterOptions.cs"),
        ("simulation", "tests/Ripple.Simulation/Runs/CommandLine.cs"),
        ("attacks", "tests/Ripple.Attacks/Runs/CommandLine.cs"),
        ("mutants", "tests/mutants/Commands/CommandLine.cs"),
        ("benchmarks", "benchmarks/Ripple.Benchmarks/Program.cs"),
    ];

    private readonly Dictionary<string, Command[]> _trees;
    private readonly Dictionary<string, HashSet<string>> _plain;

    public KnownPrograms()
    {
        _trees = new Dictionary<string, Command[]>(StringComparer.Ordinal)
        {
            [CommandLine] = RootsOf("Ripple.Cli"),
            [Host] = RootsOf("Ripple.Gms.Host"),
        };
        _plain = Plain.ToDictionary(p => p.Name, p => OptionsIn(p.Source), StringComparer.Ordinal);
        _plain["push"].UnionWith(OptionsIn("benchmarks/Ripple.Load/Peers/PeerFolder.cs"));
    }

    /// <summary>
    /// The program a project folder makes; null for none with options of its own. The load program's first word says which of its three.
    /// </summary>
    public static string? OfFolder(string folder, string? firstWord) => folder.TrimEnd('/') switch
    {
        "src/Admin/Ripple.Cli" => CommandLine,
        "src/Gms/Ripple.Gms.Host" => Host,
        "tests/Ripple.Simulation" => "simulation",
        "tests/Ripple.Attacks" => "attacks",
        "tests/mutants" => "mutants",
        "benchmarks/Ripple.Benchmarks" => "benchmarks",
        "benchmarks/Ripple.Load" => firstWord,
        _ => null,
    };

    public bool IsProgram(string name) => _trees.ContainsKey(name) || _plain.ContainsKey(name);

    /// <summary>The programs that have a command of this name at their root.</summary>
    public IEnumerable<string> WithCommand(string name) =>
        _trees.Where(t => t.Value.Any(r => r.Subcommands.Any(c => c.Name == name))).Select(t => t.Key);

    /// <summary>An option of any of these programs, at any command.</summary>
    public bool IsOption(string option, IEnumerable<string> programs) =>
        programs.Any(p => _plain.TryGetValue(p, out HashSet<string>? options)
            ? options.Contains(option)
            : _trees[p].Any(root => HasOption(root, option, isDeep: true)));

    public IEnumerable<string> Names => _trees.Keys.Concat(_plain.Keys);

    /// <summary>What of the words behind a program's name it does not know.</summary>
    public IEnumerable<string> Unknown(string program, IReadOnlyList<string> words)
    {
        if (_plain.TryGetValue(program, out HashSet<string>? options))
        {
            return words.Where(w => IsOptionWord(w) && !options.Contains(w));
        }

        // A program may have a second tree for one option; a command is looked for in those that have commands.
        bool isCommand = words.Count > 0 && CommandWord().IsMatch(words[0]);
        IEnumerable<Command> roots = _trees[program].Where(root => !isCommand || root.Subcommands.Count > 0);
        return roots.Select(root => Unknown(root, words).ToArray()).MinBy(unknown => unknown.Length)!;
    }

    public static bool IsOptionWord(string word) => OptionWord().IsMatch(word);

    private static IEnumerable<string> Unknown(Command root, IReadOnlyList<string> words)
    {
        List<Command> path = [root];
        bool isAfterOption = false;
        foreach (string word in words)
        {
            Command at = path[^1];
            if (IsOptionWord(word))
            {
                isAfterOption = true;
                bool isOfAll = path.Any(c => c.Options.Any(o => o.Recursive && Answers(o, word)));
                if (!isOfAll && !HasOption(at, word, isDeep: false))
                {
                    yield return word;
                }
            }
            else if (at.Subcommands.FirstOrDefault(c => c.Name == word) is { } next)
            {
                path.Add(next);
            }
            else if (at.Subcommands.Count > 0 && at.Arguments.Count == 0 && CommandWord().IsMatch(word) && !isAfterOption)
            {
                // Behind an option it may be the option's value.
                yield return word;
            }
        }
    }

    private static bool HasOption(Command command, string option, bool isDeep) =>
        command.Options.Any(o => Answers(o, option)) || (isDeep && command.Subcommands.Any(c => HasOption(c, option, isDeep)));

    private static bool Answers(Option option, string word) => option.Name == word || option.Aliases.Contains(word);

    /// <summary>Every tree of commands that an assembly makes, whatever its makers are called.</summary>
    private static Command[] RootsOf(string assembly) =>
    [
        .. from type in Assembly.Load(assembly).GetTypes()
           from method in type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
           where method.ReturnType == typeof(RootCommand)
           select (Command)method.Invoke(null, [.. method.GetParameters().Select(p => Make(p.ParameterType))])!,
    ];

    private static object Make(Type type)
    {
        ConstructorInfo least = type.GetConstructors().MinBy(c => c.GetParameters().Length)!;
        return least.Invoke([.. least.GetParameters().Select(p => Make(p.ParameterType))]);
    }

    private static HashSet<string> OptionsIn(string source) =>
        [.. OptionLiteral().Matches(Repository.Read(source)).Select(m => m.Groups[1].Value)];

    [GeneratedRegex(@"^--[a-z][a-z-]*$")]
    private static partial Regex OptionWord();

    [GeneratedRegex("^[a-z][a-z-]+$")]
    private static partial Regex CommandWord();

    [GeneratedRegex("\"(--[a-z][a-z-]*)\"")]
    private static partial Regex OptionLiteral();
}
