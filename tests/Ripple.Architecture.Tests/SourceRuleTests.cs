using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests;

/// <summary>How source is laid out, and what the stepped parts never contain.</summary>
public sealed class SourceRuleTests
{
    private const int LinesMax = 400;

    /// <summary>
    /// Folders of the host that own threads or files, as .editorconfig lists them for the build; the rest of it is stepped, as the engine
    /// is.
    /// </summary>
    private static readonly string[] EdgeFolders = Regex.Match(
        Repository.Read(".editorconfig"), @"^\[src/Gms/Ripple\.Gms/\{(?<folders>[^}]+)\}", RegexOptions.Multiline).Groups["folders"].Value
        .Split(',');

    private static readonly (Regex Pattern, string Instead)[] NotStepped =
    [
        (new Regex(@"\block\s*\("), "state belongs to the core thread"),
        (new Regex(@"\b(await|async)\b"), "post a Request, complete with a Request"),
        (
            new Regex(@"\b(Thread|ThreadPool|Task|ValueTask|Timer|SemaphoreSlim|ManualResetEventSlim)\b"),
            "the runner owns the thread; time is an Alarm"),
    ];

    private static readonly Regex TopLevelType = new(
        @"^(?<access>public |internal |file )?(?:(?:static|sealed|abstract|readonly|partial|ref|unsafe) )*"
            + @"(?:class|struct|interface|enum|record struct|record class|record|delegate [^(]+?) (?<name>\w+)",
        RegexOptions.Multiline);

    [Fact]
    public void Stepped_code_has_no_lock_await_thread_or_task()
    {
        string[] files =
        [
            .. Repository.Files("*.cs", "src/Engine/Ripple.Engine"),
            .. Directory.EnumerateDirectories(Repository.PathOf("src/Gms/Ripple.Gms"))
                .Where(d => !EdgeFolders.Contains(Path.GetFileName(d)))
                .SelectMany(d => Repository.Files("*.cs", Repository.Relative(d))),
        ];

        Assert.Contains(files, f => Repository.Relative(f).StartsWith("src/Gms/Ripple.Gms/Sessions/", StringComparison.Ordinal));
        Assert.Contains(files, f => Repository.Relative(f).StartsWith("src/Gms/Ripple.Gms/Publishing/", StringComparison.Ordinal));
        Rule.Holds(
            from file in files
            let code = SourceText.CodeOnly(File.ReadAllText(file))
            from rule in NotStepped
            from Match match in rule.Pattern.Matches(code)
            select $"{Repository.Relative(file)}:{LineOf(code, match.Index)} has '{match.Value}': {rule.Instead}");
    }

    [Fact]
    public void Every_file_of_src_is_short() =>
        Rule.Holds(
            from project in Repository.SourceProjects
            from file in project.SourceFiles()
            let lines = File.ReadLines(file).Count()
            where lines > LinesMax
            select $"{Repository.Relative(file)} has {lines} lines; split it by concern (Type.Aspect.cs) to at most {LinesMax}");

    [Fact]
    public void Namespaces_are_folders() =>
        Rule.Holds(
            from project in Repository.SourceProjects
            from file in project.SourceFiles()
            let code = SourceText.CodeOnly(File.ReadAllText(file))
            let found = Regex.Match(code, @"^namespace ([\w.]+);", RegexOptions.Multiline) is { Success: true } match
                ? match.Groups[1].Value
                : string.Empty
            let expected = NamespaceOf(project, file)
            where found != expected && !IsAllowedElsewhere(project, file, code, found)
            select $"{Repository.Relative(file)} has namespace '{found}', its folder says '{expected}'");

    [Fact]
    public void A_file_has_one_type_for_others_and_its_name() =>
        Rule.Holds(
            from project in Repository.SourceProjects
            from file in project.SourceFiles()
            let wrong = CheckTypes(file)
            where wrong is not null
            select $"{Repository.Relative(file)} {wrong}");

    [Theory]
    [InlineData("src/Engine/Ripple.Engine/Ripple.Engine.csproj")]
    [InlineData("src/Gms/Ripple.Gms/Ripple.Gms.csproj")]
    public void Banned_symbols_are_enforced_in_the_build(string path)
    {
        var project = new SourceProject(Repository.PathOf(path));

        Assert.Contains("Microsoft.CodeAnalysis.BannedApiAnalyzers", project.Includes("PackageReference"));
        Assert.Contains(project.Includes("AdditionalFiles"), f => f.EndsWith("/BannedSymbols.txt", StringComparison.Ordinal));
    }

    [Fact]
    public void Banned_symbols_name_what_to_use_instead()
    {
        string[] lines = [.. File.ReadLines(Repository.PathOf("src/Engine/BannedSymbols.txt")).Where(l => l.Length > 0)];

        Rule.Holds(lines.Where(l => !Regex.IsMatch(l, @"^[TPMNF]:[^;]+;\S.{15,}$")));
        Assert.Contains(lines, l => l.StartsWith("T:System.Threading.Tasks.Task;", StringComparison.Ordinal));
        Assert.Contains(lines, l => l.StartsWith("T:System.DateTime;", StringComparison.Ordinal));
        Assert.Contains(lines, l => l.StartsWith("T:System.Random;", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("int a; // lock (x)", false)]
    [InlineData("/* await */ string s = \"await lock (\";", false)]
    [InlineData("char c = '\"'; lock (x) { }", true)]
    [InlineData("string s = @\"\\\"; lock (x) { }", true)]
    [InlineData("string s = \"\"\"a \"quoted\" lock (b)\"\"\";", false)]
    public void Comments_and_strings_are_not_code(string source, bool hasLock) =>
        Assert.Equal(hasLock, NotStepped[0].Pattern.IsMatch(SourceText.CodeOnly(source)));

    private static string NamespaceOf(SourceProject project, string file)
    {
        string folder = Path.GetDirectoryName(Path.GetRelativePath(Path.GetDirectoryName(project.Path)!, file))!;
        return folder.Length == 0 ? project.Name : $"{project.Name}.{folder.Replace('\\', '/').Replace('/', '.')}";
    }

    /// <summary>Extension methods live where users look for them; an entry point and assembly attributes need no namespace.</summary>
    private static bool IsAllowedElsewhere(SourceProject project, string file, string code, string found) =>
        (found.Length == 0 && (Path.GetFileName(file) == "Program.cs" || !TopLevelType.IsMatch(code)))
        || (found.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal)
            && project.Name.StartsWith("Ripple.Extensions.", StringComparison.Ordinal));

    private static string? CheckTypes(string file)
    {
        string code = SourceText.CodeOnly(File.ReadAllText(file));
        (string Access, string Name)[] types =
            [.. TopLevelType.Matches(code).Select(m => (m.Groups["access"].Value.Trim(), m.Groups["name"].Value))];
        if (types.Length == 0)
        {
            return null;
        }

        string expected = Path.GetFileName(file).Split('.')[0];
        string[] open = [.. types.Where(t => t.Access == "public").Select(t => t.Name)];
        return open.Length > 1 ? $"has {open.Length} public types: {string.Join(", ", open)}"
            : open.Length == 1 && open[0] != expected ? $"has the public type {open[0]}"
            : !types.Any(t => t.Name == expected) && expected != "Program" ? $"has no type {expected}: "
                + $"{string.Join(", ", types.Select(t => t.Name))}"
            : null;
    }

    private static int LineOf(string text, int index) => text.AsSpan(0, index).Count('\n') + 1;
}
