using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests;

/// <summary>Documents hang together, and the repository speaks of itself alone.</summary>
public sealed class DocumentationTests
{
    private static readonly string[] TextEndings =
    [
        ".cs", ".md", ".csproj", ".props", ".targets", ".json", ".txt", ".yml", ".yaml", ".sh", ".ps1", ".sln", ".editorconfig", ".http",
        ".html", ".js", ".css",
    ];

    /// <summary>Places that only one machine or one company has.</summary>
    private static readonly string[] Elsewhere =
        [
            "/wo" + "rk/", "/tmp/" + "wt-", "/ro" + "ot/", "/ho" + "me/", "art" + "ifactory", "jf" + "rog", "nex" + "us-",
            ".inter" + "nal/", ".cor" + "p/",
        ];

    [Fact]
    public void Every_link_of_a_document_leads_to_a_file() =>
        Rule.Holds(
            from file in Repository.Files("*.md")
            from link in LinksOf(file)
            where !File.Exists(link.Path) && !Directory.Exists(link.Path)
            select $"{Repository.Relative(file)} links {link.Text}, which is not there");

    [Fact]
    public void Architecture_links_every_design_note()
    {
        string[] linked = [.. LinksOf(Repository.PathOf("docs/architecture.md")).Select(l => Repository.Relative(l.Path))];
        string[] notes = [.. Repository.Files("*.md", "docs/design").Select(Repository.Relative)];

        Assert.NotEmpty(notes);
        Rule.Holds(notes.Except(linked).Select(n => $"docs/architecture.md does not link {n}"));
    }

    [Fact]
    public void Guide_index_links_every_page_of_the_guide() =>
        Rule.Holds(
            Repository.Files("*.md", "docs/guide").Select(Repository.Relative).Where(p => p != "docs/guide/README.md")
                .Except(LinksOf(Repository.PathOf("docs/guide/README.md")).Select(l => Repository.Relative(l.Path))));

    [Fact]
    public void Readme_begins_with_what_it_is_and_the_two_commands()
    {
        string readme = Repository.Read("README.md");

        Assert.Contains("dotnet run --project samples/Quickstart", readme, StringComparison.Ordinal);
        Assert.Contains("dotnet test", readme, StringComparison.Ordinal);
        Assert.Contains("docs/architecture.md", readme, StringComparison.Ordinal);
        Assert.Contains("CONTRIBUTING.md", readme, StringComparison.Ordinal);
    }

    [Fact]
    public void The_repository_names_no_place_that_one_machine_has()
    {
        string[] files = [.. Repository.TrackedFiles().Where(
            f => TextEndings.Contains(Path.GetExtension(f)) || Path.GetFileName(Path.GetDirectoryName(f)) == ".ci")];

        Assert.NotEmpty(files);
        Rule.Holds(
            from file in files
            let text = File.ReadAllText(file)
            from place in Elsewhere
            where text.Contains(place, StringComparison.OrdinalIgnoreCase)
            select $"{Repository.Relative(file)} names '{place}'");
    }

    private static IEnumerable<(string Text, string Path)> LinksOf(string file) =>
        from Match match in Regex.Matches(WithoutCode(File.ReadAllText(file)), @"\]\((?<to>[^)\s]+)\)")
        let to = match.Groups["to"].Value
        where !to.Contains("://", StringComparison.Ordinal) && !to.StartsWith('#') && !to.StartsWith("mailto:", StringComparison.Ordinal)
        select (to, Path.GetFullPath(Path.Combine(Path.GetDirectoryName(file)!, to.Split('#')[0])));

    private static string WithoutCode(string markdown) =>
        Regex.Replace(markdown, @"```.*?```|`[^`\n]*`", string.Empty, RegexOptions.Singleline);
}
