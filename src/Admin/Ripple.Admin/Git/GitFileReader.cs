using System.Diagnostics;
using System.Globalization;
using System.Text;
using Ripple.Admin.Contracts;

namespace Ripple.Admin.Git;

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
