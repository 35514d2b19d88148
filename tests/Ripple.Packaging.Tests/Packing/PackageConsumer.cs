using System.Xml.Linq;

namespace Ripple.Packaging.Tests.Packing;

/// <summary>A directory outside the repository, where the packages are used as their users use them.</summary>
internal sealed class PackageConsumer : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("ripple-consumer-").FullName;

    /// <summary>Makes the directory.</summary>
    /// <param name="packages">The packages.</param>
    /// <param name="hasConfiguration">True for a nuget.config there that names them; false for a user who makes one himself.</param>
    public PackageConsumer(PackedPackages packages, bool hasConfiguration)
    {
        Version = packages.Version;
        Folder = System.IO.Path.Combine(_root, "app");
        Directory.CreateDirectory(Folder);
        string machine = System.Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } given
            ? given
            : System.IO.Path.Combine(System.Environment.GetFolderPath(System.Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        Environment = new(StringComparer.Ordinal)
        {
            ["RIPPLE_PACKAGES"] = packages.Folder,
            // What the machine has already is read and not written: what is new goes with the directory.
            ["NUGET_PACKAGES"] = System.IO.Path.Combine(_root, "cache"),
            ["NUGET_FALLBACK_PACKAGES"] = Directory.Exists(machine) ? machine : string.Empty,
        };
        if (hasConfiguration)
        {
            // The machine's own sources stay: this is added to them.
            var source = new XElement("add", new XAttribute("key", "ripple"), new XAttribute("value", packages.Folder));
            new XDocument(new XElement("configuration", new XElement("packageSources", source))).Save(Path("nuget.config"));
        }
    }

    /// <summary>What programs run in the directory have in their environment besides.</summary>
    public Dictionary<string, string> Environment { get; }

    /// <summary>Where restored packages go.</summary>
    public string Cache => Environment["NUGET_PACKAGES"];

    /// <summary>The directory of the application; empty but for a nuget.config, or empty.</summary>
    public string Folder { get; }

    /// <summary>The version of the packages.</summary>
    public string Version { get; }

    public string Path(string name) => System.IO.Path.Combine(Folder, name);

    /// <summary>Runs the SDK in the directory; fails the test when it fails.</summary>
    public Task<string> DotnetAsync(CancellationToken cancellationToken, params string[] arguments) =>
        RunAsync("dotnet", cancellationToken, arguments);

    /// <summary>Runs a program in the directory; fails the test when it fails.</summary>
    public async Task<string> RunAsync(string program, CancellationToken cancellationToken, params string[] arguments)
    {
        DotnetCommand result = await DotnetCommand.TryAsync(program, Folder, Environment, cancellationToken, arguments);
        Assert.True(result.ExitCode == 0, $"{program} {string.Join(' ', arguments)}\n{result.Output}");
        return result.Output;
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);
}
