using System.IO.Compression;
using System.Xml.Linq;
using Ripple.Packaging.Tests.Packing;

namespace Ripple.Packaging.Tests;

/// <summary>Each package is complete, and needs only what can be had.</summary>
public sealed class PackageContentTests(PackedPackages packages)
{
    /// <summary>The packages of the design, libraries and tools. One more is a decision, not an accident.</summary>
    private static readonly string[] Design =
    [
        "Ripple.Admin",
        "Ripple.Admin.Contracts",
        "Ripple.Cli",
        "Ripple.Client",
        "Ripple.Engine",
        "Ripple.Extensions.Hosting",
        "Ripple.Gms",
        "Ripple.Gms.Host",
        "Ripple.Transports",
        "Ripple.Trust",
    ];

    /// <summary>What is never a package: the module is laid out by its own build, and imported from a folder.</summary>
    private static readonly string[] NoPackages = ["Ripple.PowerShell", "Ripple.PowerShell.Loader"];

    public static TheoryData<string> Packages => [.. PackedPackages.Projects.Keys];

    public static TheoryData<string> Libraries => [.. PackedPackages.Projects.Keys.Except(PackedPackages.Tools.Keys)];

    public static TheoryData<string> Tools => [.. PackedPackages.Tools.Keys];

    [Fact]
    public void Packages_are_those_of_the_design()
    {
        string[] projects =
            [.. Directory.EnumerateFiles(Path.Combine(PackedPackages.Root, "src"), "*.csproj", SearchOption.AllDirectories).Select(
                p => Path.GetFileNameWithoutExtension(p)).Order(StringComparer.Ordinal)];

        Assert.Equal(projects.Except(NoPackages), PackedPackages.Projects.Keys);
        Assert.Equal(Design, PackedPackages.Projects.Keys);
    }

    [Fact]
    public void Packing_makes_each_with_its_symbols_and_no_other() =>
        Assert.Equal(
            PackedPackages.Projects.Keys
                .SelectMany(p => new[] { $"{p}.{packages.Version}.nupkg", $"{p}.{packages.Version}.snupkg" })
                .Order(StringComparer.Ordinal),
            Directory.EnumerateFiles(packages.Folder).Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Packages))]
    public void Package_has_readme_icon_licence_and_description(string package)
    {
        using ZipArchive archive = ZipFile.OpenRead(packages.PathOf(package));
        XElement metadata = Metadata(archive);

        Assert.Equal("README.md", Value(metadata, "readme"));
        Assert.Equal("icon.png", Value(metadata, "icon"));
        Assert.Equal("MIT", Value(metadata, "license"));
        Assert.Equal("expression", metadata.Elements().Single(e => e.Name.LocalName == "license").Attribute("type")!.Value);
        Assert.True(Value(metadata, "description").Length > 40, Value(metadata, "description"));
        Assert.True(archive.GetEntry("README.md")!.Length > 1_000);
        Assert.True(archive.GetEntry("icon.png")!.Length > 500);
        Assert.Equal((package, packages.Version), (Value(metadata, "id"), Value(metadata, "version")));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Library_has_its_documentation_beside_it_and_its_symbols_apart(string package)
    {
        using ZipArchive archive = ZipFile.OpenRead(packages.PathOf(package));
        using ZipArchive symbols = ZipFile.OpenRead(Path.ChangeExtension(packages.PathOf(package), ".snupkg"));

        Assert.Equal(
            [$"lib/net10.0/{package}.dll", $"lib/net10.0/{package}.xml"],
            archive.Entries.Select(e => e.FullName).Where(
                n => n.StartsWith("lib/", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        Assert.Contains(symbols.Entries, e => e.FullName == $"lib/net10.0/{package}.pdb");
        using var documentation = new StreamReader(archive.GetEntry($"lib/net10.0/{package}.xml")!.Open());
        Assert.Contains("<summary>", documentation.ReadToEnd(), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Library_of_Ripple_that_is_needed_is_a_package_of_exactly_the_same_version(string package)
    {
        using ZipArchive archive = ZipFile.OpenRead(packages.PathOf(package));
        foreach (XElement dependency in Metadata(archive).Descendants().Where(
            e => e.Name.LocalName == "dependency" && e.Attribute("id")!.Value.StartsWith("Ripple.", StringComparison.Ordinal)))
        {
            Assert.True(
                File.Exists(packages.PathOf(dependency.Attribute("id")!.Value)),
                $"{package} needs {dependency.Attribute("id")!.Value}, which is no package");
            // In brackets: a library sees internals of the other, and a later one may lack them.
            Assert.Equal($"[{packages.Version}]", dependency.Attribute("version")!.Value);
        }
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Library_does_not_need_what_only_its_build_needs(string package)
    {
        using ZipArchive archive = ZipFile.OpenRead(packages.PathOf(package));

        Assert.DoesNotContain(
            Metadata(archive).Descendants(),
            e => e.Name.LocalName == "dependency"
                && (e.Attribute("id")!.Value.StartsWith("Microsoft.CodeAnalysis.", StringComparison.Ordinal)
                    || e.Attribute("id")!.Value == "PowerShellStandard.Library"));
    }

    [Theory]
    [MemberData(nameof(Tools))]
    public void Tool_says_its_command(string package)
    {
        using ZipArchive archive = ZipFile.OpenRead(packages.PathOf(package));
        using Stream settings = archive.GetEntry("tools/net10.0/any/DotnetToolSettings.xml")!.Open();
        XElement command = XDocument.Load(settings).Descendants("Command").Single();

        Assert.Equal(
            (PackedPackages.Tools[package], $"{package}.dll", "dotnet"),
            (command.Attribute("Name")!.Value, command.Attribute("EntryPoint")!.Value, command.Attribute("Runner")!.Value));
    }

    private static XElement Metadata(ZipArchive archive)
    {
        using Stream nuspec = archive.Entries.Single(e => e.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).Open();
        return XDocument.Load(nuspec).Root!.Elements().Single(e => e.Name.LocalName == "metadata");
    }

    private static string Value(XElement metadata, string name) => metadata.Elements().Single(e => e.Name.LocalName == name).Value;
}
