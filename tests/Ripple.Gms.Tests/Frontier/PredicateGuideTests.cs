using System.Text.RegularExpressions;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Tests.Frontier;

public sealed class PredicateGuideTests
{
    private const int ExamplesMin = 15;
    private const int OperandsMin = 14;

    /// <summary>The zones the guide and the paper name; each has a host and a node here, as at a host that knows of them all.</summary>
    private static readonly string[] Zones = ["eu", "eu-1", "us-1", "test", "x", "North_Virginia", "Oregon", "Ohio"];

    [Fact]
    public void Every_example_of_the_guide_parses()
    {
        int parsed = 0;
        bool isExample = false;
        foreach (string line in Guide().Split('\n'))
        {
            if (line.StartsWith("```", StringComparison.Ordinal))
            {
                isExample = line == "```predicate";
            }
            else if (isExample)
            {
                Tables.Parse(line);
                parsed++;
            }
        }

        Assert.True(parsed >= ExamplesMin, $"only {parsed} examples were found");
    }

    [Fact]
    public void Every_operand_of_the_guide_selects_somebody_in_a_table_like_a_hosts()
    {
        string[] operands =
        [
            .. Regex.Matches(
                Guide(), """\$(\d+|[A-Z]+(_\w+)?(\("[^"]*"(, "[^"]*")?\))?)""").Select(m => m.Value).Distinct(StringComparer.Ordinal),
        ];
        FrontierTable table = TableOfAHost();

        // An external has levels of the application's own alone.
        Assert.All(operands, operand => Tables.Bind(
            table, $"MIN({operand}{(operand.StartsWith("$EXTERNAL", StringComparison.Ordinal) ? ".verified" : "")})", zone: "eu-1"));
        Assert.True(operands.Length >= OperandsMin, $"only {operands.Length} operands were found");
    }

    /// <summary>What a host fills in of its members: names, zones, labels and the home host; never an area.</summary>
    private static FrontierTable TableOfAHost()
    {
        FrontierTable table = Tables.OfNodes();
        table.AddLevels(["verified"]);
        table.SetExternals(["name", "bench"]);
        ulong id = 0;
        foreach (string zone in Zones)
        {
            Tables.Add(table, ++id, "host-" + zone, zone, isHost: true, isReplica: true, hostName: "host-" + zone);
            Tables.Add(table, ++id, "name", zone, hostName: "host1", labels: [("key", "value"), ("ring", "canary")]);
        }

        return table;
    }

    private static string Guide()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "Ripple.sln")))
        {
            folder = folder.Parent;
        }

        if (folder is null)
        {
            Assert.Skip("The tests do not run inside a source tree, so the guide is not there.");
        }

        return File.ReadAllText(Path.Combine(folder.FullName, "docs", "guide", "predicates.md")).ReplaceLineEndings("\n");
    }
}
