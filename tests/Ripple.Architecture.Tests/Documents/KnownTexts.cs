using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests.Documents;

/// <summary>
/// Files and folders of the repository, and the texts its code has between quotes: names of metrics, codes, files, variables.
/// </summary>
internal sealed partial class KnownTexts
{
    /// <summary>Its texts are names that are not there.</summary>
    private const string MadeUpNames = "/DocumentationNamesTests.cs";

    private readonly string[] _files;
    private readonly HashSet<string> _folders;
    private readonly HashSet<string> _literals;
    private readonly string _allLiterals;

    public KnownTexts()
    {
        _files = [.. Repository.TrackedFiles().Select(Repository.Relative)];
        _folders = [.. _files.SelectMany(FoldersOf)];
        IEnumerable<string> lines =
            from file in _files
            where file.EndsWith(".cs", StringComparison.Ordinal) && !file.EndsWith(MadeUpNames, StringComparison.Ordinal)
            from line in File.ReadLines(Repository.PathOf(file))
            where !line.TrimStart().StartsWith("///", StringComparison.Ordinal)
            select line;
        _literals = [.. lines.SelectMany(line => Literal().Matches(line)).Select(m => m.Groups[1].Value)];

        _allLiterals = string.Join('\n', _literals);
    }

    /// <summary>The whole of a text between quotes.</summary>
    public bool IsLiteral(string text) => _literals.Contains(text);

    /// <summary>A whole word of a text between quotes.</summary>
    public bool IsInLiteral(string text) =>
        Regex.IsMatch(_allLiterals, $@"(?<!\w){Regex.Escape(text)}(?!\w)", RegexOptions.CultureInvariant);

    /// <summary>A path from the root, or its last parts; <c>*</c> and <c>&lt;name&gt;</c> stand for anything within a part.</summary>
    public bool IsPath(string path)
    {
        string pattern = Regex.Replace(Regex.Escape(path.TrimEnd('/')), @"\\\*|<\w+>", "[^/]*");
        var regex = new Regex($"(^|/){pattern}$", RegexOptions.CultureInvariant);
        return _folders.Any(regex.IsMatch) || (!path.EndsWith('/') && _files.Any(regex.IsMatch));
    }

    /// <summary>True for what begins with a folder of the root, and so must be there as it is written.</summary>
    public bool IsFromRoot(string path) => path.Contains('/', StringComparison.Ordinal) && _folders.Contains(path.Split('/')[0]);

    public bool IsFromRootAndThere(string path) => _files.Contains(path, StringComparer.Ordinal) || _folders.Contains(path.TrimEnd('/'));

    private static IEnumerable<string> FoldersOf(string file)
    {
        for (int slash = file.IndexOf('/', StringComparison.Ordinal); slash > 0; slash = file.IndexOf('/', slash + 1))
        {
            yield return file[..slash];
        }
    }

    [GeneratedRegex("\"((?:[^\"\\\\]|\\\\.)+)\"")]
    private static partial Regex Literal();
}
