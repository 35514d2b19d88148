using System.CommandLine.Parsing;
using System.Text.RegularExpressions;
using Ripple.Cli.Tests.Hosting;
using Ripple.Client;

namespace Ripple.Cli.Tests.Commands;

/// <summary>The guide's page on predicates, typed from its top to its end at a host with two processes.</summary>
public sealed partial class PredicatePageTests(CliHost host) : CommandTest(host)
{
    private const int CommandsMin = 20;

    /// <summary>The release that the page speaks of.</summary>
    private const ulong Release = 42;

    [Fact]
    public async Task Every_command_of_the_page_does_what_it_is_there_for()
    {
        string application = await ApplicationAsync([.. Enumerable.Range(1, (int)Release - 1).Select(i => $"{i}")]);
        await using RippleClient first = await Host.JoinAsync(application, "web-1", zone: "eu-west");
        await using RippleClient second = await Host.JoinAsync(application, "web-2", zone: "eu-north");
        // A wait is for those who were there when its release was published.
        (await RunAsync("publish", application, "--text", $"a.txt={Release}", "--wait")).Done();

        int count = 0;
        string page = await File.ReadAllTextAsync(Page(), TestContext.Current.CancellationToken);
        foreach (string line in Commands().Matches(page).Select(m => m.Groups["args"].Value))
        {
            List<string> args =
            [
                .. CommandLineParser.SplitCommandLine(line.Replace('\'', '"')).Select(a => a switch
                {
                    "shop" => application,
                    "$shop" => $"${application}",
                    _ => a,
                }),
            ];
            if (args[0] == "monitor" && !args.Contains("--count") && !args.Contains("--until"))
            {
                // It ends when somebody ends it.
                args.AddRange(["--count", "1"]);
            }

            (await RunAsync([.. args])).Done();
            count++;
            if (args is ["level", "set", ..])
            {
                // What the page's program does.
                await first.ReportAsync(application, Release, args[3], TestContext.Current.CancellationToken);
                await second.ReportAsync(application, Release, args[3], TestContext.Current.CancellationToken);
            }
        }

        Assert.True(count >= CommandsMin, $"Only {count} were found.");
    }

    private static string Page()
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Ripple.sln")))
        {
            folder = Path.GetDirectoryName(folder)!;
        }

        return Path.Combine(folder, "docs", "guide", "predicates.md");
    }

    [GeneratedRegex(@"^ripple (?<args>.+?)\r?$", RegexOptions.Multiline)]
    private static partial Regex Commands();
}
