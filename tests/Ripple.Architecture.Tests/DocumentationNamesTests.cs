using Ripple.Architecture.Tests.Documents;

namespace Ripple.Architecture.Tests;

/// <summary>What documents write as code is there: types, members, files, options, commands, cmdlets and the words of predicates.</summary>
public sealed class DocumentationNamesTests
{
    private static readonly Lazy<DocumentCheck> Check = new(() => new DocumentCheck(ForeignWords.Load()));

    private static IEnumerable<string> Documents =>
        ["README.md", "CONTRIBUTING.md", .. Repository.Files("*.md", "docs").Select(Repository.Relative)];

    [Fact]
    public void Every_name_in_a_document_is_there_and_every_foreign_word_is_needed()
    {
        // A list of its own: a word that only a made-up document of this class uses is not needed.
        var foreign = ForeignWords.Load();
        var check = new DocumentCheck(foreign);
        string[] wrong = [.. Documents.SelectMany(d => check.Judge(d, Repository.Read(d)))];

        Rule.Holds(wrong.Concat(foreign.Unused().Select(w => $"{ForeignWords.Path} has '{w}', which no document needs")));
    }

    [Fact]
    public void What_is_missing_is_told_in_the_roadmap_alone() =>
        Rule.Holds(
            from document in Documents
            where Repository.Read(document).Contains("Not yet", StringComparison.Ordinal)
            select $"{document} says 'Not yet': say what is, and put what is not into docs/roadmap.md");

    [Fact]
    public void Foreign_words_are_sorted_and_none_is_there_twice()
    {
        string[] words = Repository.Read(ForeignWords.Path).ReplaceLineEndings("\n").Split('\n', StringSplitOptions.RemoveEmptyEntries);

        Assert.Equal(words.Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal), words);
    }

    [Theory]
    [InlineData("`HostedRegionOfMars`")]
    [InlineData("`HostCore.LandOnMars`")]
    [InlineData("`IOptionsMonitor<MarsRover>`")]
    [InlineData("`host.LandOnMars()`")]
    [InlineData("`WaitForMars(release, \"MIN(applied)\")`")]
    [InlineData("`marsLandingNs`")]
    [InlineData("`mars_landing`")]
    [InlineData("`ripple.mars.landings`")]
    [InlineData("`RIPPLE_MARS`")]
    [InlineData("`MarsRoutes.cs`")]
    [InlineData("`src/Gms/Ripple.Mars`")]
    [InlineData("`Mars/`")]
    [InlineData("`Control/Mars.cs`")]
    [InlineData("`/health/mars`")]
    [InlineData("`--mars`")]
    [InlineData("`push --clients 5 --mars`")]
    [InlineData("`ripple mars`")]
    [InlineData("`ripple token mars`")]
    [InlineData("`ripple publish shop --first-parent`")]
    [InlineData("`token land MARS`")]
    [InlineData("`Land-RippleRelease 42`")]
    [InlineData("`Get-RippleMars`")]
    [InlineData("`Undo-RippleRelease 42 -ToMars`")]
    [InlineData("`-LandOnMars`")]
    [InlineData("`dotnet test --mars`")]
    [InlineData("`MIN($MARS.applied)`")]
    [InlineData("`$MARS(\"x\")`")]
    [InlineData("`MEDIAN($ALL.applied)`")]
    [InlineData("    ripple publish shop --mars\n")]
    [InlineData("    dotnet run --project tests/Ripple.Simulation -- --mars\n")]
    [InlineData("    dotnet run --project tests/Ripple.Mars -- --seeds 1..3\n")]
    [InlineData("```console\nripple-host --mars\n```")]
    [InlineData("```csharp\nRippleClient client = await MarsClient.ConnectAsync(text);\n```")]
    [InlineData("```csharp\nawait client.LandAsync();\n```")]
    [InlineData("```powershell\nGet-RippleMars shop\n```")]
    [InlineData("```predicate\nMIN($MARS)\n```")]
    [InlineData("```martian\nx\n```")]
    public void A_made_up_name_is_seen(string markdown) => Assert.NotEmpty(Check.Value.Judge("docs/made-up.md", markdown));

    [Theory]
    [InlineData("`HostCore`, `IHostStore.Commit`, `Protocol/MessageType.cs`, `tests/Shared`, `Core/`")]
    [InlineData("`ripple token create --application shop`, `push --clients 5`, `--planted`, `RIPPLE_CONNECTION`")]
    [InlineData("`Undo-RippleRelease 42`, `KTH_MAX(SIZEOF($ALL)/2 + 1, $ALL.applied)`, `$ZONE_eu`, `ripple.gms.stream.skips`")]
    public void What_is_there_is_not_complained_of(string markdown) => Assert.Empty(Check.Value.Judge("docs/made-up.md", markdown));
}
