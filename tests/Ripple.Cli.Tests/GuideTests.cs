using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text.RegularExpressions;
using Ripple.Cli.Commands;
using Ripple.Cli.Output;

namespace Ripple.Cli.Tests;

/// <summary>The command lines of the guide are command lines.</summary>
public sealed class GuideTests
{
    [Fact]
    public void Every_command_line_of_the_guide_is_understood()
    {
        string guide = Path.Combine(Root(), "docs", "guide");
        var wrong = new List<string>();
        int count = 0;
        foreach (string page in Directory.EnumerateFiles(guide, "*.md"))
        {
            foreach (Match line in Regex.Matches(
                File.ReadAllText(page), @"^(?:    |dotnet )?ripple (?<args>[^|>\n]+?)(?: \|\|.*| \|.*)?$", RegexOptions.Multiline))
            {
                string[] args = [.. CommandLineParser.SplitCommandLine(line.Groups["args"].Value.Replace('\'', '"'))];
                ParseResult result = RootCommands.Make(Scope()).Parse(args);
                count++;
                wrong.AddRange(result.Errors.Select(e => $"{Path.GetFileName(page)}: ripple {line.Groups["args"].Value}: {e.Message}"));
            }
        }

        Assert.True(count > 20, $"Only {count} were found.");
        Assert.Empty(wrong);
    }

    [Fact]
    public void Every_command_is_in_the_reference()
    {
        string page = File.ReadAllText(Path.Combine(Root(), "docs", "guide", "command-line.md"));

        string[] missing =
            [.. RootCommands.Make(Scope()).Subcommands.Select(c => c.Name).Where(name => !Regex.IsMatch(page, $"(`|ripple ){name}\\b"))];

        Assert.Empty(missing);
    }

    private static CliScope Scope() => new(new CliConsole
    {
        OpenInput = () => Stream.Null,
        Output = Stream.Null,
        Out = TextWriter.Null,
        Error = TextWriter.Null,
        Environment = _ => null,
    });

    private static string Root()
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Ripple.sln")))
        {
            folder = Path.GetDirectoryName(folder)!;
        }

        return folder;
    }
}
