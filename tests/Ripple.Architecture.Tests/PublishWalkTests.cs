using System.Globalization;
using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests;

/// <summary>The ways that are written down file by file name files that are there, and stay short enough to read.</summary>
public sealed partial class PublishWalkTests
{
    private const string Document = "docs/architecture.md";

    [Theory]
    [InlineData("A publish, file by file", 45)]
    [InlineData("A token, file by file", 15)]
    public void A_way_has_fewer_files_than_its_bound(string title, int bound) => Assert.InRange(Steps(title).Length, 1, bound - 1);

    [Theory]
    [InlineData("A publish, file by file")]
    [InlineData("A token, file by file")]
    public void The_steps_of_a_way_count_from_one(string title)
    {
        Step[] steps = Steps(title);

        Assert.Equal(Enumerable.Range(1, steps.Length), steps.Select(s => s.Number));
    }

    [Theory]
    [InlineData("A publish, file by file")]
    [InlineData("A token, file by file")]
    public void Every_file_of_a_way_is_there_and_tracked(string title)
    {
        HashSet<string> tracked = [.. Repository.TrackedFiles().Select(Repository.Relative)];

        Rule.Holds(
            from step in Steps(title)
            where !tracked.Contains(step.File) || !File.Exists(Repository.PathOf(step.File))
            select $"step {step.Number} of '{title}' names {step.File}, which is not there");
    }

    [Theory]
    [InlineData("A publish, file by file")]
    [InlineData("A token, file by file")]
    public void No_file_is_twice_on_a_way(string title) =>
        Rule.Holds(
            from step in Steps(title)
            group step by step.File into same
            where same.Count() > 1
            select $"'{title}' names {same.Key} at {string.Join(" and ", same.Select(s => s.Number))}");

    /// <summary>The rows of the table below a heading; a row that is not a step is a fault of the document.</summary>
    private static Step[] Steps(string title)
    {
        string[] rows =
        [
            .. Repository.Read(Document).ReplaceLineEndings("\n").Split('\n')
                .SkipWhile(l => l != $"## {title}").Skip(1)
                .TakeWhile(l => !l.StartsWith("## ", StringComparison.Ordinal))
                .Where(l => l.StartsWith('|')).Skip(2),
        ];
        Assert.NotEmpty(rows);
        Rule.Holds(rows.Where(r => !Row().IsMatch(r)));
        return
        [
            .. from row in rows
               let match = Row().Match(row)
               select new Step(int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture), match.Groups[2].Value),
        ];
    }

    [GeneratedRegex(@"^\| (\d+) \| `([^`]+)` \| [^|]+ \|$")]
    private static partial Regex Row();

    private sealed record Step(int Number, string File);
}
