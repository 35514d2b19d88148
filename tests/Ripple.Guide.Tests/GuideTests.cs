using Ripple.Guide.Tests.Pages;

namespace Ripple.Guide.Tests;

/// <summary>The guide, typed: each block of commands of each page, in its order, from an empty directory.</summary>
public sealed class GuideTests
{
    /// <summary>Languages of what is read and not typed.</summary>
    private static readonly string[] Read = ["csharp", "predicate", "text", "ini"];

    private static readonly Dictionary<string, Func<ReadPage>> Pages = new(StringComparer.Ordinal)
    {
        ["command-line.md"] = () => new CommandLinePage(),
        ["events.md"] = () => new EventsPage(),
        ["powershell.md"] = () => new PowerShellPage(),
        ["predicates.md"] = () => new PredicatesPage(),
        ["publish-and-prove.md"] = () => new PublishPage(),
        ["regions.md"] = () => new RegionsPage(),
        ["run-a-host.md"] = () => new RunHostPage(),
    };

    /// <summary>Pages that another test types, because they need what is its own: packages, two hosts on a database.</summary>
    private static readonly Dictionary<string, string> Elsewhere = new(StringComparer.Ordinal)
    {
        ["five-minutes.md"] = "tests/Ripple.Packaging.Tests/GuideTests.cs",
        ["run-a-cluster.md"] = "tests/Ripple.Gms.Tests/Server/ClusterGuideTests.cs",
    };

    public static TheoryData<string> PagesTyped => [.. Pages.Keys];

    public static TheoryData<string, string> BlocksNotTyped { get; } = NotTyped();

    [Theory]
    [MemberData(nameof(PagesTyped))]
    public async Task Each_block_of_a_page_does_what_it_is_there_for(string name)
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("The guide's commands are for bash.");
            return;
        }

        await using ReadPage page = Pages[name]();
        int count = await page.TypeAsync();

        Assert.True(count > 0, $"{name} has nothing to type: it need not be here.");
        TestContext.Current.TestOutputHelper!.WriteLine($"{name}: {count} blocks");
    }

    [Theory]
    [MemberData(nameof(BlocksNotTyped))]
    public void A_block_that_is_not_typed_says_why(string block, string why) => Assert.Skip($"{block}: {why}");

    [Fact]
    public void Each_page_with_something_to_type_is_typed()
    {
        Assert.Equal(
            GuidePages.All.Where(p => GuidePages.Blocks(p).Any(b => b.IsTyped)),
            Pages.Keys.Concat(Elsewhere.Keys).Order(StringComparer.Ordinal));
        Assert.All(
            Elsewhere,
            e => Assert.Contains(e.Key, File.ReadAllText(Path.Combine(GuidePages.Root, e.Value)), StringComparison.Ordinal));
    }

    [Fact]
    public void Each_block_says_what_it_is()
    {
        Assert.All(GuidePages.All.SelectMany(GuidePages.Blocks).Where(b => !b.IsTyped), b => Assert.Contains(b.Language, Read));
        // Nobody would type it.
        Assert.Empty(GuidePages.All.SelectMany(GuidePages.IndentedCode));
    }

    private static TheoryData<string, string> NotTyped()
    {
        var blocks = new TheoryData<string, string>();
        foreach (GuideBlock block in GuidePages.All.SelectMany(GuidePages.Blocks).Where(b => b.IsTyped))
        {
            if (WhyNotTyped(block) is { } why)
            {
                blocks.Add(block.ToString(), why);
            }
        }

        return blocks;
    }

    private static string? WhyNotTyped(GuideBlock block) => block switch
    {
        _ when Pages.TryGetValue(block.Page, out Func<ReadPage>? page) => page().WhyNotTyped(block),
        _ when block.Text.Contains("dotnet pack", StringComparison.Ordinal) =>
            "It packs the clone, as was done for the tests of packages.",
        _ => null,
    };
}
