using System.Xml.Linq;

namespace Ripple.Architecture.Tests;

/// <summary>One project file, as it is written.</summary>
internal sealed class SourceProject
{
    private readonly XDocument _xml;

    public SourceProject(string path)
    {
        Path = path;
        Name = System.IO.Path.GetFileNameWithoutExtension(path);
        RelativeFolder = Repository.Relative(System.IO.Path.GetDirectoryName(path)!);
        _xml = XDocument.Load(path);
    }

    public string Path { get; }

    public string Name { get; }

    public string RelativeFolder { get; }

    public bool IsPackable =>
        _xml.Descendants("IsPackable").Any(e => string.Equals(e.Value.Trim(), "true", StringComparison.OrdinalIgnoreCase));

    public bool HasDescription => _xml.Descendants("Description").Any(e => e.Value.Trim().Length > 20);

    /// <summary>The names of the projects it references.</summary>
    public IReadOnlyList<string> References =>
        [.. Includes("ProjectReference").Select(r => System.IO.Path.GetFileNameWithoutExtension(r.Replace('\\', '/')))];

    /// <summary>The paths of its project references, from the root.</summary>
    public IReadOnlyList<string> ReferencePaths =>
        [.. Includes("ProjectReference").Select(r => Repository.Relative(
            System.IO.Path.GetFullPath(System.IO.Path.Combine(System.IO.Path.GetDirectoryName(Path)!, r.Replace('\\', '/')))))];

    /// <summary>Its package references that carry a version of their own.</summary>
    public IReadOnlyList<string> OwnVersions =>
        [
            .. _xml
                .Descendants("PackageReference")
                .Where(e => e.Attribute("Version") is not null || e.Attribute("VersionOverride") is not null)
                .Select(e => e.Attribute("Include")!.Value),
        ];

    public IEnumerable<string> Includes(string item) => _xml.Descendants(item).Select(e => e.Attribute("Include")?.Value).OfType<string>();

    /// <summary>Its own source files.</summary>
    public IEnumerable<string> SourceFiles() => Repository.Files("*.cs", RelativeFolder).Order(StringComparer.Ordinal);

    public override string ToString() => Name;
}
