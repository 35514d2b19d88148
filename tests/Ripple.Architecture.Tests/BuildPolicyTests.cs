using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Ripple.Architecture.Tests;

/// <summary>The rules of the build stand in one place, and packages are complete.</summary>
public sealed class BuildPolicyTests
{
    [Fact]
    public void Package_versions_are_central() =>
        Rule.Holds(from project in Repository.Projects from package in project.OwnVersions select $"{project.Name}: {package}");

    [Fact]
    public void Package_versions_are_exact() =>
        Rule.Holds(
            XDocument.Load(Repository.PathOf("Directory.Packages.props")).Descendants("PackageVersion")
                .Where(e => !Regex.IsMatch(e.Attribute("Version")?.Value ?? string.Empty, @"^\d+\.\d+\.\d+(\.\d+)?(-[\w.-]+)?$"))
                .Select(e => e.Attribute("Include")?.Value));

    [Fact]
    public void There_is_one_Directory_Build_props() =>
        Assert.Equal(["Directory.Build.props"], Repository.Files("Directory.Build.*").Select(Repository.Relative));

    [Theory]
    [InlineData("Nullable", "enable")]
    [InlineData("TreatWarningsAsErrors", "true")]
    [InlineData("EnforceCodeStyleInBuild", "true")]
    [InlineData("Deterministic", "true")]
    [InlineData("TargetFramework", "net10.0")]
    [InlineData("GenerateDocumentationFile", "true")]
    public void Build_is_strict_everywhere(string property, string value)
    {
        XElement[] root = [.. XDocument.Load(Repository.PathOf("Directory.Build.props")).Descendants(property)];

        Assert.Contains(root, e => e.Value == value);
        Rule.Holds(
            from project in Repository.Projects
            from element in XDocument.Load(project.Path).Descendants(property)
            where element.Value != value
            select $"{project.Name} sets {property} to {element.Value}");
    }

    [Fact]
    public void Packages_come_from_src_alone_and_describe_themselves()
    {
        SourceProject[] packages = [.. Repository.Projects.Where(p => p.IsPackable)];

        Assert.NotEmpty(packages);
        Rule.Holds(packages.Where(p => !p.RelativeFolder.StartsWith("src/", StringComparison.Ordinal)).Select(p => p.Name));
        Rule.Holds(packages.Where(p => !p.HasDescription).Select(p => $"{p.Name} has no Description"));
    }

    /// <summary>Without the analyzer, or without its files, nothing compares a package with what it said it offers.</summary>
    [Fact]
    public void Each_package_and_nothing_else_has_its_public_surface_in_files_that_the_compiler_compares()
    {
        XElement reference = Assert.Single(
            XDocument.Load(Repository.PathOf("Directory.Build.props")).Descendants("PackageReference"),
            e => e.Attribute("Include")!.Value == "Microsoft.CodeAnalysis.PublicApiAnalyzers");

        Assert.Equal("all", reference.Attribute("PrivateAssets")?.Value);
        Assert.Equal(
            from package in Repository.SourceProjects
            where package.IsPackable
            from state in (string[])["Shipped", "Unshipped"]
            select $"{package.RelativeFolder}/PublicAPI.{state}.txt",
            Repository.Files("PublicAPI.*").Select(Repository.Relative).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Internals_are_seen_by_projects_of_this_repository_and_by_no_sample() =>
        Rule.Holds(
            from project in Repository.Projects
            from friend in XDocument.Load(project.Path).Descendants("InternalsVisibleTo").Select(e => e.Attribute("Include")!.Value)
            where !Repository.Projects.Any(p => p.Name == friend && !p.RelativeFolder.StartsWith("samples/", StringComparison.Ordinal))
            select $"{project.Name} shows its internals to {friend}");

    [Fact]
    public void A_package_references_packages() =>
        Rule.Holds(
            from project in Repository.SourceProjects
            where project.IsPackable
            from reference in project.References
            where !Repository.SourceProjects.Any(p => p.Name == reference && p.IsPackable)
            select $"{project.Name} is a package and references {reference}, which is none");

    [Fact]
    public void Solution_holds_every_project()
    {
        string solution = Repository.Read("Ripple.sln").Replace('\\', '/');

        Rule.Holds(
            Repository.Projects.Select(p => Repository.Relative(p.Path)).Where(p => !solution.Contains(p, StringComparison.Ordinal)));
    }
}
