using System.Reflection;
using System.Text;

namespace Ripple.Architecture.Tests;

/// <summary>The public surface of each package is a checked-in file: a change of it is seen where it is reviewed.</summary>
public sealed class PublicApiTests
{
    private const string Command = "RIPPLE_ACCEPT_PUBLIC_API=1 dotnet test --project tests/Ripple.Architecture.Tests";

    public static TheoryData<string> Packages => [.. Repository.SourceProjects.Where(p => p.IsPackable).Select(p => p.Name)];

    [Theory]
    [MemberData(nameof(Packages))]
    public void Public_surface_is_the_one_checked_in(string package)
    {
        SourceProject project = Repository.SourceProjects.Single(p => p.Name == package);
        string path = Path.Combine(Path.GetDirectoryName(project.Path)!, "PublicApi.txt");
        string[] now = [.. PublicSurface.Of(Assembly.Load(package))];
        if (Environment.GetEnvironmentVariable("RIPPLE_ACCEPT_PUBLIC_API") == "1")
        {
            File.WriteAllText(path, string.Concat(now.Select(l => l + "\n")));
        }

        string[] before = File.Exists(path) ? File.ReadAllLines(path) : [];
        string[] gone = [.. before.Except(now, StringComparer.Ordinal)];
        string[] added = [.. now.Except(before, StringComparer.Ordinal)];
        if (gone.Length + added.Length > 0 || before.Length != now.Length)
        {
            Assert.Fail(Describe(project, gone, added));
        }
    }

    [Fact]
    public void Every_public_surface_file_belongs_to_a_package() =>
        Rule.Holds(
            Repository.Files("PublicApi.txt").Select(p => Repository.Relative(Path.GetDirectoryName(p)!))
                .Except(Repository.SourceProjects.Where(p => p.IsPackable).Select(p => p.RelativeFolder)));

    private static string Describe(SourceProject project, string[] gone, string[] added)
    {
        var text = new StringBuilder();
        text.Append("The public surface of ").Append(project.Name).Append(" is not the one in ").Append(project.RelativeFolder).AppendLine(
            "/PublicApi.txt.");
        foreach (string line in gone.Select(l => "  - " + l).Concat(added.Select(l => "  + " + l)).Take(40))
        {
            text.AppendLine(line);
        }

        if (gone.Length + added.Length > 40)
        {
            text.Append("  and ").Append(gone.Length + added.Length - 40).AppendLine(" lines more");
        }

        text.Append("If it is meant, rewrite the files and review them: ").Append(Command);
        return text.ToString();
    }
}
