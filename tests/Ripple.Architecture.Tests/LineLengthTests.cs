namespace Ripple.Architecture.Tests;

/// <summary>Lines fit beside another file on one screen. What does not yet is counted by area, and more must not come.</summary>
public sealed class LineLengthTests
{
    private const int ColumnsMax = 140;

    /// <summary>
    /// How many lines may be longer. Mostly texts that are one literal: statements of SQL, a command's usage, messages whose numbers are
    /// written for the invariant culture.
    /// </summary>
    private static readonly (string Area, int LongLines)[] StillLonger =
    [
        ("benchmarks", 0),
        ("samples", 1),
        ("src/Admin", 0),
        ("src/Engine", 6),
        ("src/Gms", 8),
        ("src/Sdk", 0),
        ("tests", 0),
    ];

    [Fact]
    public void Editors_are_told_the_same_length() =>
        Assert.Contains($"max_line_length = {ColumnsMax}", File.ReadAllLines(Repository.PathOf(".editorconfig")));

    [Fact]
    public void Every_source_file_is_in_an_area_that_is_counted() =>
        Rule.Holds(SourceFiles().Where(f => !StillLonger.Any(a => IsIn(f, a.Area))));

    [Fact]
    public void No_more_lines_are_longer_than_are_listed() => Rule.Holds(StillLonger.SelectMany(Excess));

    private static IEnumerable<string> Excess((string Area, int LongLines) expected)
    {
        string[] found = [.. SourceFiles().Where(f => IsIn(f, expected.Area)).SelectMany(LongLines)];
        string numbers = $"{expected.Area} has {found.Length} lines of more than {ColumnsMax} columns, and {expected.LongLines} are listed";
        return found.Length <= expected.LongLines ? [] : [$"{numbers}: break what is new of these.", .. found];
    }

    private static IEnumerable<string> LongLines(string file) =>
        from line in File.ReadLines(Repository.PathOf(file)).Index()
        where line.Item.Length > ColumnsMax
        select $"{file}({line.Index + 1}): {line.Item.Length} columns";

    private static bool IsIn(string file, string area) => file.StartsWith($"{area}/", StringComparison.Ordinal);

    private static IEnumerable<string> SourceFiles() =>
        Repository.TrackedFiles()
            .Select(Repository.Relative)
            .Where(f => f.EndsWith(".cs", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal);
}
