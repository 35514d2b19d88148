using System.Xml.Linq;

namespace Ripple.Packaging.Tests.Packing;

/// <summary>A directory outside the repository, where the packages are used as their users use them.</summary>
internal sealed class PackageConsumer : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("ripple-consumer-").FullName;

    public PackageConsumer(PackedPackages packages)
    {
        Version = packages.Version;
        Folder = System.IO.Path.Combine(_root, "app");
        Directory.CreateDirectory(Folder);
        string machine = Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } given
            ? given
            : System.IO.Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        new XDocument(
            new XElement(
                "configuration",
                new XElement("config", Add("globalPackagesFolder", System.IO.Path.Combine(_root, "cache"))),
                // The machine's own sources stay: this is added to them.
                new XElement("packageSources", Add("ripple", packages.Folder)),
                new XElement("fallbackPackageFolders", Directory.Exists(machine) ? Add("machine", machine) : null))).Save(Path("nuget.config"));
    }

    /// <summary>The directory of the application; empty but for a nuget.config.</summary>
    public string Folder { get; }

    /// <summary>The version of the packages.</summary>
    public string Version { get; }

    public string Path(string name) => System.IO.Path.Combine(Folder, name);

    /// <summary>Runs the SDK in the directory; fails the test when it fails.</summary>
    public Task<string> DotnetAsync(CancellationToken cancellationToken, params string[] arguments) => RunAsync("dotnet", cancellationToken, arguments);

    /// <summary>Runs a program in the directory; fails the test when it fails.</summary>
    public async Task<string> RunAsync(string program, CancellationToken cancellationToken, params string[] arguments)
    {
        DotnetCommand result = await DotnetCommand.TryAsync(program, Folder, cancellationToken, arguments);
        Assert.True(result.ExitCode == 0, $"{program} {string.Join(' ', arguments)}\n{result.Output}");
        return result.Output;
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private static XElement Add(string key, string value) => new("add", new XAttribute("key", key), new XAttribute("value", value));
}
