using System.Globalization;
using System.Xml.Linq;
using Ripple.Packaging.Tests.Packing;

[assembly: AssemblyFixture(typeof(PackedPackages))]

namespace Ripple.Packaging.Tests.Packing;

/// <summary>
/// The packages, made once for all tests of this program, or taken from the folder that RIPPLE_PACKAGES names. Those made here have a
/// version nobody else has, so that no cache of this machine can stand in for them.
/// </summary>
public sealed class PackedPackages : IAsyncLifetime
{
    private readonly string _temporary = Directory.CreateTempSubdirectory("ripple-packages-").FullName;

    /// <summary>The clone these tests run in.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>How these tests were built: packages are made of what was built with them.</summary>
    public static string Configuration { get; } = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;

    /// <summary>The projects that say they are packages, by name.</summary>
    public static SortedDictionary<string, string> Projects { get; } = new(
        Directory.EnumerateFiles(Path.Combine(Root, "src"), "*.csproj", SearchOption.AllDirectories)
            .Where(p => XDocument.Load(p).Descendants("IsPackable").Any(e => e.Value == "true"))
            .ToDictionary(p => Path.GetFileNameWithoutExtension(p)),
        StringComparer.Ordinal);

    /// <summary>Those of them that are tools, with their commands.</summary>
    public static SortedDictionary<string, string> Tools { get; } = new(
        Projects.Select(p => (p.Key, Command: XDocument.Load(p.Value).Descendants("ToolCommandName").FirstOrDefault()?.Value))
            .Where(p => p.Command is not null)
            .ToDictionary(p => p.Key, p => p.Command!),
        StringComparer.Ordinal);

    /// <summary>Where the packages are.</summary>
    public string Folder { get; private set; } = string.Empty;

    /// <summary>Their version.</summary>
    public string Version { get; private set; } = string.Empty;

    /// <summary>Packs.</summary>
    public async ValueTask InitializeAsync()
    {
        if (Environment.GetEnvironmentVariable("RIPPLE_PACKAGES") is { Length: > 0 } given)
        {
            Folder = Path.GetFullPath(given, Root);
            Version = Path.GetFileNameWithoutExtension(
                Directory.EnumerateFiles(Folder, "Ripple.Engine.*.nupkg").Single())["Ripple.Engine.".Length..];
            return;
        }

        Folder = Path.Combine(_temporary, "packages");
        Version = string.Create(CultureInfo.InvariantCulture, $"0.1.0-test.{DateTime.UtcNow.Ticks}");
        await DotnetCommand.RunAsync(
            "dotnet",
            Root,
            TestContext.Current.CancellationToken,
            "pack",
            "Ripple.sln",
            "-c",
            Configuration,
            "--no-build",
            "-o",
            Folder,
            $"-p:Version={Version}",
            "-nologo",
            "-v:quiet",
            "-nodeReuse:false");
    }

    /// <summary>The file of a package.</summary>
    public string PathOf(string package) => Path.Combine(Folder, $"{package}.{Version}.nupkg");

    /// <summary>
    /// An empty directory to make an application in. Restored there, Ripple's packages come from here; what they need comes from where this
    /// machine has packages from, or has them already; and nothing is left on the machine. The caller disposes of it.
    /// </summary>
    /// <param name="hasConfiguration">True for a nuget.config that names the packages; false for nothing at all.</param>
    internal PackageConsumer NewConsumer(bool hasConfiguration = true) => new(this, hasConfiguration);

    /// <summary>Removes them.</summary>
    public ValueTask DisposeAsync()
    {
        Directory.Delete(_temporary, recursive: true);
        return default;
    }

    private static string FindRoot()
    {
        DirectoryInfo folder = new(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Ripple.sln")))
        {
            folder = folder.Parent ?? throw new InvalidOperationException("The tests must run inside the repository.");
        }

        return folder.FullName;
    }
}
