using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Admin.Git;

/// <summary>
/// Turns every commit that changed a file into a release, oldest first. Each publish id is derived from the application, the key and the
/// commit, so however an import ends, the next run releases nothing twice. It continues after the newest commit found in the release
/// history.
/// </summary>
public static class GitImport
{
    /// <summary>Maximum size of a note, in bytes.</summary>
    private const int NoteBytesMax = 2_048;

    /// <summary>Maximum size of an author's name and address in a note, in bytes.</summary>
    private const int AuthorBytesMax = 512;

    private static ReadOnlySpan<byte> Domain => "ripple git import 1"u8;

    /// <summary>What an import would do; changes nothing. Thread-safe.</summary>
    /// <param name="client">The cluster.</param>
    /// <param name="options">The source and the target.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="RippleAdminException">git or the host refused something.</exception>
    public static async Task<GitImportPlan> PlanAsync(
        RippleAdminClient client, GitImportOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(options);
        GitFileHistory history = await GitFileHistory.ReadAsync(options, cancellationToken).ConfigureAwait(false);
        return await PlanAsync(client, options, history, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Runs the import to completion. Thread-safe.</summary>
    /// <param name="client">The cluster.</param>
    /// <param name="options">The source and the target.</param>
    /// <param name="progress">Receives progress after each commit; null for none.</param>
    /// <param name="cancellationToken">Stops between two releases, or stops waiting for one; the next run continues from there.</param>
    /// <exception cref="RippleAdminException">git or the host refused something; the message names the commit. Releases made before
    /// remain. Or nodes run that would get old states, and <see cref="GitImportOptions.Replays"/> is false: nothing is released
    /// then.</exception>
    public static async Task<GitImportResult> RunAsync(
        RippleAdminClient client,
        GitImportOptions options,
        IProgress<GitImportProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(options);
        GitFileHistory history = await GitFileHistory.ReadAsync(options, cancellationToken).ConfigureAwait(false);
        GitImportPlan plan = await PlanAsync(client, options, history, cancellationToken).ConfigureAwait(false);
        if (plan.NeedsReplay && !options.Replays)
        {
            throw new RippleAdminException(
                AdminFailure.Refused,
                $"{plan.NodeCount} nodes run with '{options.Application}', and {plan.Remaining} states of the past would be released to "
                    + "them, one after another. Nothing was released. Import while none of them runs, into another application, or say "
                    + "that it is meant: --replay.");
        }

        (string key, int start) = (plan.Key, plan.Resumed);
        var result = new GitImportResult(options.Application, key, history.Commits.Count, 0, start, 0, 0, null, null);
        progress?.Report(new GitImportProgress(start, result.Total, null, null));
        using var reader = new GitFileReader(history);
        byte[]? before = start == 0 ? null : await reader.ReadAsync(history.Commits[start - 1], cancellationToken).ConfigureAwait(false);
        for (int i = start; i < history.Commits.Count; i++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            GitCommit commit = history.Commits[i];
            byte[]? bytes = await reader.ReadAsync(commit, cancellationToken).ConfigureAwait(false);
            if (i > 0 && (bytes is null ? before is null : before is not null && bytes.AsSpan().SequenceEqual(before)))
            {
                // The file's mode changed, or a merge restored the previous content.
                result = result with { Unchanged = result.Unchanged + 1 };
                progress?.Report(new GitImportProgress(i + 1, result.Total, commit, null));
                continue;
            }

            before = bytes;
            PublishRequest request = bytes is null
                ? new PublishRequest { Remove = [key], Note = Note(commit) }
                : new PublishRequest { Set = [new KeyValue { Key = key, Bytes = bytes }], Note = Note(commit) };
            ulong? release = null;
            try
            {
                PublishResult done = await client.PublishAsync(
                    options.Application, request, null, PublishId(
                        options.Application, key, commit.Id), cancellationToken).ConfigureAwait(false);
                release = done.Release;
                result =
                    result with { Released = result.Released + 1, FirstRelease = result.FirstRelease ?? release, LastRelease = release };
            }
            catch (RippleAdminException e) when (e.Code == ProblemCodes.NothingChanged)
            {
                result = result with { Unchanged = result.Unchanged + 1 };
            }
            catch (RippleAdminException e) when (options.SkipsInvalid && e.Code == ProblemCodes.InvalidJson)
            {
                result = result with { Invalid = result.Invalid + 1 };
            }
            catch (RippleAdminException e) when (e.Problem is { } problem)
            {
                throw new RippleAdminException(
                    problem with
                    {
                        Detail = $"Commit {commit.Id} ({i + 1} of {result.Total}): {e.Message} What was released before stays; "
                            + $"a next run goes on here.",
                    });
            }

            progress?.Report(new GitImportProgress(i + 1, result.Total, commit, release));
        }

        return result;
    }

    /// <summary>The publish id of a commit: a version 8 UUID from SHA-256 over the application, the key and the commit's id.</summary>
    public static Guid PublishId(string application, string key, string commitId)
    {
        ArgumentNullException.ThrowIfNull(application);
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(commitId);
        using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        sha.AppendData(Domain);
        foreach (string part in (ReadOnlySpan<string>)[application, key, commitId])
        {
            byte[] bytes = Encoding.UTF8.GetBytes(part);
            sha.AppendData(LengthOf(bytes));
            sha.AppendData(bytes);
        }

        Span<byte> id = sha.GetHashAndReset().AsSpan(0, 16);
        id[6] = (byte)((id[6] & 0x0F) | 0x80);
        id[8] = (byte)((id[8] & 0x3F) | 0x80);
        return new Guid(id, bigEndian: true);
    }

    /// <summary>
    /// The note of a commit's release: the subject, truncated if too long, then the lines <c>author</c>, <c>author date</c> and <c>commit
    /// id</c>.
    /// </summary>
    public static string Note(GitCommit commit)
    {
        ArgumentNullException.ThrowIfNull(commit);
        string author = Cut(ShownText.WithoutHidden($"{commit.AuthorName} <{commit.AuthorEmail}>"), AuthorBytesMax);
        string lines = $"\nauthor: {author}\nauthor date: {commit.AuthorDate}\ncommit id: {commit.Id}";
        return Cut(ShownText.WithoutHidden(commit.Subject), NoteBytesMax - Encoding.UTF8.GetByteCount(lines)) + lines;
    }

    /// <summary>
    /// The index of the first commit to import: the one after the commit of the newest release that belongs to this history.
    /// </summary>
    private static async Task<int> FindStartAsync(
        RippleAdminClient client, string application, string key, IReadOnlyList<GitCommit> commits, CancellationToken cancellationToken)
    {
        var places = new Dictionary<Guid, int>();
        for (int i = 0; i < commits.Count; i++)
        {
            places[PublishId(application, key, commits[i].Id)] = i;
        }

        await foreach (ReleaseInfo release in client.ListReleasesAsync(application, null, cancellationToken).ConfigureAwait(false))
        {
            if (places.TryGetValue(release.PublishId, out int place))
            {
                return place + 1;
            }
        }

        return 0;
    }

    private static async Task<GitImportPlan> PlanAsync(
        RippleAdminClient client, GitImportOptions options, GitFileHistory history, CancellationToken cancellationToken)
    {
        string key = options.Key ?? options.Path;
        int start = await FindStartAsync(client, options.Application, key, history.Commits, cancellationToken).ConfigureAwait(false);
        int remaining = history.Commits.Count - start;
        Frontier frontier = await client.GetFrontierAsync(options.Application, cancellationToken).ConfigureAwait(false);
        bool needsReplay = remaining > 1 && frontier.NodeCount > 0;
        return new(options.Application, key, history.Commits.Count, start, remaining, frontier.NodeCount, needsReplay);
    }

    private static byte[] LengthOf(byte[] bytes)
    {
        byte[] length = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, bytes.Length);
        return length;
    }

    private static string Cut(string text, int bytesMax)
    {
        if (Encoding.UTF8.GetByteCount(text) <= bytesMax)
        {
            return text;
        }

        const string End = "...";
        int bytes = End.Length;
        int length = 0;
        foreach (Rune rune in text.EnumerateRunes())
        {
            bytes += rune.Utf8SequenceLength;
            if (bytes > bytesMax)
            {
                break;
            }

            length += rune.Utf16SequenceLength;
        }

        return text[..length] + End;
    }
}
