using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests;

/// <summary>
/// Which namespaces of its own project each file names in its usings, as pairs like those of <see cref="TypeUse"/>. A constant leaves no
/// trace in a compiled assembly; its namespace stands in a using.
/// </summary>
internal static class UsingUse
{
    /// <summary>All pairs of (the type a file is named after, the namespace or type a using names).</summary>
    public static IReadOnlyCollection<(string User, string Used)> Of(SourceProject project) =>
    [
        .. from file in project.SourceFiles()
           let folder = Path.GetDirectoryName(Path.GetRelativePath(Repository.PathOf(project.RelativeFolder), file))!
           let room = string.Concat(folder.Split('/', '\\').Where(f => f.Length > 0).Select(f => "." + f))
           let user = $"{project.Name}{room}.{Path.GetFileName(file).Split('.')[0]}"
           from used in In(File.ReadAllText(file))
           where used.StartsWith(project.Name + ".", StringComparison.Ordinal)
           select (user, used),
    ];

    /// <summary>What the usings of a source text name, aliases and static ones included.</summary>
    public static IEnumerable<string> In(string source) =>
        Regex.Matches(source, @"^(?:global )?using (?:static )?(?:\w+ = )?(?<name>[\w.]+)", RegexOptions.Multiline)
            .Select(m => m.Groups["name"].Value);
}
