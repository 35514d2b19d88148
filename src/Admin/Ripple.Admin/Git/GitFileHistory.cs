namespace Ripple.Admin.Git;

/// <summary>
/// The commits that changed one file of a repository, oldest first. Renames are not followed: the file is identified by its path.
/// </summary>
public sealed class GitFileHistory
{
    /// <summary>Maximum number of commits; a longer history is refused, never truncated.</summary>
    public const int CommitsMax = 200_000;

    private const int Fields = 5;

    private GitFileHistory(string folder, string fullPath, IReadOnlyList<GitCommit> commits)
    {
        Folder = folder;
        FullPath = fullPath;
        Commits = commits;
    }

    /// <summary>The commits, each after its parents.</summary>
    public IReadOnlyList<GitCommit> Commits { get; }

    internal string Folder { get; }

    /// <summary>The path from the root of the repository.</summary>
    internal string FullPath { get; }

    /// <summary>Reads the history.</summary>
    /// <exception cref="RippleAdminException">git is missing, or there is no such repository, reference or file; the message says
    /// which.</exception>
    public static async Task<GitFileHistory> ReadAsync(GitImportOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        string path = options.Path;
        if (!Directory.Exists(options.Repository))
        {
            throw Refused($"There is no folder '{options.Repository}'. Give the folder of a git repository.");
        }

        if (path.Length == 0 || path.AsSpan().ContainsAny('\n', '\0') || path.StartsWith('/'))
        {
            throw Refused(
                $"'{path}' is not the path of a file in the repository. Write it with slashes, relative to '{options.Repository}'.");
        }

        if (options.Reference.Length == 0 || options.Reference.StartsWith('-'))
        {
            throw Refused($"'{options.Reference}' is not a branch, a tag or a commit.");
        }

        string prefix = (await GitProcess.RunAsync(
            options.Repository, cancellationToken, "rev-parse", "--show-prefix").ConfigureAwait(false)).TrimEnd('\n');
        string tip = (await GitProcess.RunAsync(
            options.Repository, cancellationToken, "rev-parse", "--verify", $"{options.Reference}^{{commit}}").ConfigureAwait(false))
            .Trim();
        string fullPath = Normalise(prefix + path);
        string[] arguments =
        [
            "-c",
            "log.follow=false",
            "-c",
            "log.showSignature=false",
            "log",
            "--no-mailmap",
            "--reverse",
            "--topo-order",
            "-z",
            "--encoding=UTF-8",
            "--no-patch",
            "--no-notes",
            "--no-color",
            "--format=tformat:%H%x00%an%x00%ae%x00%aI%x00%s",
            .. options.IsFirstParentOnly ? (string[])["--first-parent"] : [],
            tip,
            "--",
            $":(top,literal){fullPath}",
        ];
        string log = await GitProcess.RunAsync(options.Repository, cancellationToken, arguments).ConfigureAwait(false);
        List<GitCommit> commits = Parse(log);
        return commits.Count == 0
            ? throw Refused(
                $"No commit up to '{options.Reference}' has a file '{fullPath}'. "
                    + $"Check the path (it is relative to '{options.Repository}') and the reference.")
            : new GitFileHistory(options.Repository, fullPath, commits);
    }

    private static List<GitCommit> Parse(string log)
    {
        string[] fields = log.Split('\0');
        int count = fields.Length / Fields;
        if (count > CommitsMax)
        {
            throw Refused($"{count} commits changed the file; {CommitsMax} is the most.");
        }

        var commits = new List<GitCommit>(count);
        for (int i = 0; i + Fields <= fields.Length; i += Fields)
        {
            commits.Add(new GitCommit(fields[i], fields[i + 1], fields[i + 2], fields[i + 3], fields[i + 4]));
        }

        return commits;
    }

    /// <summary>Resolves <c>.</c> and <c>..</c>, which git accepts on the command line but not in an object name.</summary>
    private static string Normalise(string path)
    {
        var parts = new List<string>();
        foreach (string part in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            switch (part)
            {
                case ".":
                    break;
                case ".." when parts.Count > 0:
                    parts.RemoveAt(parts.Count - 1);
                    break;
                case "..":
                    throw Refused($"'{path}' leads out of the repository.");
                default:
                    parts.Add(part);
                    break;
            }
        }

        return string.Join('/', parts);
    }

    private static RippleAdminException Refused(string message) => new(AdminFailure.Refused, message);
}
