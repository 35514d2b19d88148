using System.Diagnostics;

namespace Ripple.Architecture.Tests;

/// <summary>The repository these tests judge, found by walking up from where they run.</summary>
internal static class Repository
{
    private static readonly string[] MadeFolders = ["bin", "obj", ".git", ".vs", ".idea", "artifacts", "TestResults"];

    public static string Root { get; } = FindRoot();

    public static IReadOnlyList<SourceProject> Projects { get; } =
        [.. Files("*.csproj").Order(StringComparer.Ordinal).Select(p => new SourceProject(p))];

    public static IReadOnlyList<SourceProject> SourceProjects { get; } =
        [.. Projects.Where(p => p.RelativeFolder.StartsWith("src/", StringComparison.Ordinal))];

    public static string PathOf(string relative) => Path.Combine(Root, relative);

    public static string Read(string relative) => File.ReadAllText(PathOf(relative));

    public static string Relative(string path) => Path.GetRelativePath(Root, path).Replace('\\', '/');

    /// <summary>Files below a folder that were written and not made by a build.</summary>
    public static IEnumerable<string> Files(string pattern, string folder = "") =>
        Directory.EnumerateFiles(PathOf(folder), pattern, SearchOption.AllDirectories).Where(
            p => !Relative(p).Split('/').Any(MadeFolders.Contains));

    /// <summary>The files under version control; all written files where there is no git.</summary>
    public static IReadOnlyList<string> TrackedFiles()
    {
        try
        {
            using var git = Process.Start(
                new ProcessStartInfo("git", ["-C", Root, "ls-files", "-z", "--cached"])
                {
                    RedirectStandardOutput = true,
                    RedirectStandardError = true,
                });
            string output = git!.StandardOutput.ReadToEnd();
            git.WaitForExit();
            if (git.ExitCode == 0 && output.Length > 0)
            {
                return [.. output.Split('\0', StringSplitOptions.RemoveEmptyEntries).Select(PathOf).Where(File.Exists)];
            }
        }
        catch (System.ComponentModel.Win32Exception)
        {
            // No git here: what lies in the folder is judged instead.
        }

        return [.. Files("*")];
    }

    private static string FindRoot()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Ripple.sln")))
            {
                return folder.FullName;
            }
        }

        throw new InvalidOperationException(
            $"No folder above '{AppContext.BaseDirectory}' holds Ripple.sln. Run these tests from a clone of the repository.");
    }
}
