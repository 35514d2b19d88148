using Ripple.Mutants.Running;

namespace Ripple.Mutants.Sources;

/// <summary>The repository this program belongs to.</summary>
internal static class Repository
{
    private static readonly string[] MadeFolders = ["bin", "obj", ".git", ".vs", ".idea", "artifacts", "TestResults"];

    /// <summary>The folder above this program that holds the solution.</summary>
    public static string FindRoot()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Ripple.sln")))
            {
                return folder.FullName;
            }
        }

        throw new MutantException($"No folder above '{AppContext.BaseDirectory}' holds Ripple.sln: run this from a clone of it.");
    }

    /// <summary>
    /// Paths, with slashes, of what was written and not made: what git knows or would take; without git, all but the made folders.
    /// </summary>
    public static IReadOnlyList<string> Files(string root)
    {
        ChildResult git = Git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
        IEnumerable<string> files = git.ExitCode == 0
            ? git.Output.Split('\0', StringSplitOptions.RemoveEmptyEntries)
            : Directory.EnumerateFiles(root, "*", SearchOption.AllDirectories)
                .Select(p => Path.GetRelativePath(root, p).Replace('\\', '/'))
                .Where(p => !p.Split('/').Any(MadeFolders.Contains));
        return [.. files.Select(f => f.Trim('\n', '\r')).Where(f => f.Length > 0 && File.Exists(Path.Combine(root, f))).Distinct()];
    }

    /// <summary>The commit that is checked out; "unknown" without git.</summary>
    public static string Commit(string root)
    {
        ChildResult git = Git(root, "rev-parse", "HEAD");
        return git.ExitCode == 0 ? git.Output.Trim() : "unknown";
    }

    private static ChildResult Git(string root, params string[] arguments) =>
        new ChildProcess("git", ["-C", root, .. arguments], root).Run(TimeSpan.FromMinutes(1));
}
