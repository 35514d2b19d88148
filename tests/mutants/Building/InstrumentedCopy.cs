using System.Security.Cryptography;
using System.Text;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Rewriting;
using Ripple.Mutants.Sources;

namespace Ripple.Mutants.Building;

/// <summary>
/// A copy of the repository's files in which every mutant stands behind its number. Built once, it is any of the mutants, and the product
/// itself when none is on.
/// </summary>
internal sealed class InstrumentedCopy(string root, MutantList list)
{
    public const string RelativeFolder = "artifacts/mutants";
    private const string Configuration = "Release";
    private readonly Dictionary<string, string> _rewritten = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _doNotCompile = new(StringComparer.Ordinal);

    /// <summary>Where the copy lies.</summary>
    public string Folder { get; } = Path.Combine(root, RelativeFolder, "tree");

    /// <summary>Names all of the copy's contents.</summary>
    public string Hash { get; private set; } = "";

    /// <summary>The file of the copy that says which contents were built without an error.</summary>
    public string StampPath => Path.Combine(root, RelativeFolder, "built.txt");

    /// <summary>
    /// Mutants that are not in the copy, with the reason: their line is not in the sources any more, cannot be switched, or does not
    /// compile.
    /// </summary>
    public List<(Mutant Mutant, string Reason)> Refused { get; } = [];

    /// <summary>The names of those.</summary>
    public IReadOnlyList<string> RefusedNames => [.. Refused.Select(r => r.Mutant.Id).Order(StringComparer.Ordinal)];

    /// <summary>Leaves a mutant out of what is written from now on.</summary>
    public void LeaveOut(Mutant mutant, string reason) => _doNotCompile.TryAdd(mutant.Id, $"does not compile: {reason}");

    /// <summary>
    /// Makes the copy equal to the sources with the mutants. Files that are right stay untouched, so that little is built again.
    /// </summary>
    public void Write()
    {
        Refused.Clear();
        Refused.AddRange(from m in list.Mutants where _doNotCompile.ContainsKey(m.Id) select (m, _doNotCompile[m.Id]));
        _rewritten.Clear();
        ILookup<string, NumberedMutant> mutants =
            list.Mutants.Select((m, i) => new NumberedMutant(i + 1, m))
                .Where(n => !_doNotCompile.ContainsKey(n.Mutant.Id))
                .ToLookup(n => n.Mutant.File, StringComparer.Ordinal);
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var written = new HashSet<string>(StringComparer.Ordinal);
        foreach (string file in Repository.Files(root).Where(IsBuilt).Order(StringComparer.Ordinal))
        {
            Put(file, Content(file, mutants[file]), written, hash);
        }

        Refused.AddRange(
            from file in mutants where !written.Contains(file.Key) from n in file select (n.Mutant, "is of a file that is gone"));
        foreach (string folder in InstrumentedFolders(written))
        {
            Put($"{folder}/{SwitchSource.FileName}", Encoding.UTF8.GetBytes(SwitchSource.Text), written, hash);
        }

        Hash = Convert.ToHexStringLower(hash.GetHashAndReset());
        DeleteOthers(written);
    }

    /// <summary>The assembly of a project that is a program: its tests, or the simulator.</summary>
    public string AssemblyOf(string project) =>
        Path.Combine(Folder, "tests", project, "bin", Configuration, "net10.0", $"{project}.dll");

    /// <summary>What the copy says in a file; null when no mutant is in it.</summary>
    public string? Rewritten(string file) => _rewritten.GetValueOrDefault(file);

    /// <summary>Design notes and the list itself are no part of the build: to word an entry better takes no new one.</summary>
    private static bool IsBuilt(string file) =>
        !file.StartsWith("docs/design/", StringComparison.Ordinal)
        && !(file.StartsWith(MutantList.Folder + "/", StringComparison.Ordinal) && file.EndsWith(".txt", StringComparison.Ordinal));

    private static List<string> InstrumentedFolders(IReadOnlySet<string> files) =>
        files.Where(f => f.StartsWith("src/", StringComparison.Ordinal) && f.EndsWith(".csproj", StringComparison.Ordinal))
            .Select(f => f[..f.LastIndexOf('/')])
            .Order(StringComparer.Ordinal)
            .ToList();

    private byte[] Content(string file, IEnumerable<NumberedMutant> mutants)
    {
        List<NumberedMutant> here = [.. mutants];
        string path = Path.Combine(root, file);
        if (here.Count == 0)
        {
            return File.ReadAllBytes(path);
        }

        string text = FileRewriter.Rewrite(File.ReadAllText(path), here, (m, reason) => Refused.Add((m.Mutant, reason)));
        _rewritten[file] = text;
        return Encoding.UTF8.GetBytes(text);
    }

    private void Put(string file, byte[] content, HashSet<string> written, IncrementalHash hash)
    {
        written.Add(file);
        hash.AppendData(Encoding.UTF8.GetBytes(file));
        hash.AppendData(content);
        string path = Path.Combine(Folder, file);
        if (File.Exists(path) && File.ReadAllBytes(path).AsSpan().SequenceEqual(content))
        {
            return;
        }

        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, content);
    }

    private void DeleteOthers(HashSet<string> written)
    {
        foreach (string path in Directory.EnumerateFiles(Folder, "*.cs", SearchOption.AllDirectories))
        {
            string file = Path.GetRelativePath(Folder, path).Replace('\\', '/');
            if (!written.Contains(file) && !file.Split('/').Any(p => p is "obj" or "bin"))
            {
                File.Delete(path);
            }
        }
    }
}
