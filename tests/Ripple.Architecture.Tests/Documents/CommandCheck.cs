using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests.Documents;

/// <summary>Judges what looks like a command line: the program, its commands, its options, and the paths it is given.</summary>
internal sealed partial class CommandCheck(KnownPrograms programs, KnownTexts texts, ForeignWords foreign)
{
    /// <summary>Whose options a page lists without the program's name before them; all programs' on other pages.</summary>
    private static readonly Dictionary<string, string[]> ProgramsOf = new(StringComparer.Ordinal)
    {
        ["docs/design/performance.md"] = ["push", "fanout", "cluster", "benchmarks", KnownPrograms.Host],
        ["docs/design/performance-experiments.md"] = ["push", "fanout", "benchmarks", KnownPrograms.Host],
        ["docs/design/simulation.md"] = ["simulation"],
        ["docs/design/multicast.md"] = [KnownPrograms.Host],
        ["docs/guide/command-line.md"] = [KnownPrograms.CommandLine],
    };

    /// <summary>What is wrong with an inline span, if it is a command at all; null when it is none.</summary>
    public IEnumerable<string>? OfSpan(CodePiece piece)
    {
        string[] words = CommandWords.Of(piece.Text).FirstOrDefault() ?? [];
        if (words.Length == 0)
        {
            return null;
        }

        if (KnownPrograms.IsOptionWord(words[0]) || words[0] == "--")
        {
            return UnknownOptions(words, ProgramsOf.GetValueOrDefault(piece.Document) ?? programs.Names);
        }

        if (words.Length == 1)
        {
            return null;
        }

        string[] owners = [.. programs.WithCommand(words[0])];
        if (owners.Length > 0)
        {
            return owners.Select(o => Unknown(o, words)).MinBy(u => u.Length);
        }

        bool isCommand = programs.IsProgram(words[0]) || words[0] == "dotnet" || words.Any(KnownPrograms.IsOptionWord);
        return isCommand ? OfWords(words) : null;
    }

    /// <summary>What is wrong with a line of a block.</summary>
    public IEnumerable<string> OfLine(CodePiece piece) => CommandWords.Of(piece.Text).SelectMany(words => OfWords(words));

    private IEnumerable<string> OfWords(string[] words)
    {
        if (Assignment().Match(words[0]) is { Success: true } variable)
        {
            string name = variable.Groups[1].Value;
            string[] wrong = texts.IsInLiteral(name) || foreign.Has(name) ? [] : [name];
            return words.Length > 1 ? wrong.Concat(OfWords(words[1..])) : wrong;
        }

        return OfCommand(words);
    }

    private IEnumerable<string> OfCommand(string[] words)
    {
        foreach (string path in words.Where(w => texts.IsFromRoot(w) && !texts.IsFromRootAndThere(w.Split("/bin/")[0])))
        {
            yield return path;
        }

        int from = words[0] == "dotnet" && words.Length > 1 && programs.IsProgram(words[1]) ? 1 : 0;
        int dashes = Array.IndexOf(words, "--");
        if (programs.IsProgram(words[from]))
        {
            foreach (string unknown in Unknown(words[from], words[(from + 1)..]))
            {
                yield return unknown;
            }
        }
        else if (words[0] == "dotnet" && dashes > 0)
        {
            string[] behind = words[(dashes + 1)..];
            int project = Array.IndexOf(words, "--project");
            string? program = project < 0 ? null : KnownPrograms.OfFolder(words[project + 1], behind.FirstOrDefault());
            IEnumerable<string> unknown = behind.Length == 0 ? []
                : program is null || !programs.IsProgram(program) ? behind[..1]
                : Unknown(program, behind[0] == program ? behind[1..] : behind);
            foreach (string word in unknown.Concat(words[..dashes].Where(w => KnownPrograms.IsOptionWord(w) && !foreign.Has(w))))
            {
                yield return word;
            }
        }
        else if (words[0] == "dotnet")
        {
            foreach (string option in words.Where(w => KnownPrograms.IsOptionWord(w) && !foreign.Has(w)))
            {
                yield return option;
            }
        }
        else if (words.Any(KnownPrograms.IsOptionWord) && !foreign.Has(words[0]))
        {
            yield return words[0];
        }
    }

    private string[] Unknown(string program, IReadOnlyList<string> words) =>
        [.. programs.Unknown(program, words).Where(w => !foreign.Has(w))];

    private IEnumerable<string> UnknownOptions(string[] words, IEnumerable<string> of) =>
        words.Where(w => KnownPrograms.IsOptionWord(w) && !programs.IsOption(w, of) && !foreign.Has(w));

    [GeneratedRegex("^([A-Z][A-Z_]+)=")]
    private static partial Regex Assignment();
}
