using System.Diagnostics;
using System.Globalization;
using System.Text;
using Ripple.Admin.Contracts;

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

/// <summary>
/// Reads a file at successive commits, byte for byte, through a single <c>git cat-file --batch</c>. One caller at a time.
/// </summary>
internal sealed class GitFileReader : IDisposable
{
    private const int HeaderBytesMax = 8_192;

    private readonly GitFileHistory _history;
    private readonly Process _process;
    private readonly Task<string> _error;
    private readonly Stream _output;

    public GitFileReader(GitFileHistory history)
    {
        _history = history;
        _process = GitProcess.Start(history.Folder, "cat-file", "--batch");
        _error = _process.StandardError.ReadToEndAsync();
        _output = new BufferedStream(_process.StandardOutput.BaseStream, 65_536);
    }

    /// <summary>The file's bytes; null if it does not exist at the commit.</summary>
    public async Task<byte[]?> ReadAsync(GitCommit commit, CancellationToken cancellationToken)
    {
        byte[] question = Encoding.UTF8.GetBytes($"{commit.Id}:{_history.FullPath}\n");
        Stream input = _process.StandardInput.BaseStream;
        try
        {
            await input.WriteAsync(question, cancellationToken).ConfigureAwait(false);
            await input.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (IOException e)
        {
            throw await EndedAsync(e).ConfigureAwait(false);
        }

        string header = await ReadHeaderAsync().ConfigureAwait(false);
        if (header.EndsWith(" missing", StringComparison.Ordinal))
        {
            await DemandAbsentAsync(commit, cancellationToken).ConfigureAwait(false);
            return null;
        }

        // <id> SP <type> SP <size>
        string[] parts = header.Split(' ');
        if (parts.Length != 3 || !int.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out int length))
        {
            throw new RippleAdminException(
                AdminFailure.Refused, $"git said '{header}' of '{_history.FullPath}' at commit {commit.Id}, which is not understood.");
        }

        if (parts[1] != "blob")
        {
            throw new RippleAdminException(
                AdminFailure.Refused, $"'{_history.FullPath}' is a {parts[1]} at commit {commit.Id}, not a file. Give the path of a file.");
        }

        if (length > AdminLimits.ValueBytesMax)
        {
            throw new RippleAdminException(
                AdminFailure.Refused,
                $"'{_history.FullPath}' has {length} bytes at commit {commit.Id}; a value has at most {AdminLimits.ValueBytesMax}. "
                    + $"Import another reference, or another file.");
        }

        byte[] bytes = new byte[length];
        await _output.ReadExactlyAsync(bytes, cancellationToken).ConfigureAwait(false);
        _output.ReadByte();
        return bytes;
    }

    public void Dispose()
    {
        GitProcess.Kill(_process);
        _output.Dispose();
        _process.Dispose();
    }

    /// <summary>
    /// git calls two things missing: a file that the commit does not have, and one whose content is not in the repository, as in a partial
    /// clone. The second must not become a removal.
    /// </summary>
    private async Task DemandAbsentAsync(GitCommit commit, CancellationToken cancellationToken)
    {
        string path = $":(top,literal){_history.FullPath}";
        string entry = await GitProcess.RunAsync(
            _history.Folder, cancellationToken, "ls-tree", "-z", commit.Id, "--", path).ConfigureAwait(false);
        if (entry.Length > 0)
        {
            throw new RippleAdminException(
                AdminFailure.Refused,
                $"The content of '{_history.FullPath}' at commit {commit.Id} is not in '{_history.Folder}': "
                    + "the clone is partial or damaged, and nothing is fetched for an import. Make a full clone.");
        }
    }

    private async Task<string> ReadHeaderAsync()
    {
        var line = new List<byte>();
        while (_output.ReadByte() is var next && next != '\n')
        {
            if (next < 0 || line.Count == HeaderBytesMax)
            {
                throw await EndedAsync(null).ConfigureAwait(false);
            }

            line.Add((byte)next);
        }

        return Encoding.UTF8.GetString([.. line]);
    }

    private async Task<RippleAdminException> EndedAsync(Exception? cause)
    {
        GitProcess.Kill(_process);
        return new RippleAdminException(
            AdminFailure.Refused, $"git cat-file ended in '{_history.Folder}': {(await _error.ConfigureAwait(false)).Trim()}", cause);
    }
}
