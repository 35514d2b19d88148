using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Ripple.Admin.Contracts;
using Ripple.Admin.Holders;

namespace Ripple.Admin.Following;

/// <summary>
/// Follows a release to its nodes: counts as they acknowledge it, and the names of those that lag or reject it. Thread-safe.
/// </summary>
/// <param name="client">The client to use; not disposed.</param>
/// <param name="time">The clock; null for the system clock.</param>
public sealed class ReleaseFollower(RippleAdminClient client, TimeProvider? time = null)
{
    /// <summary>How many times a wait that lost its connection is retried.</summary>
    private const int AskAgainMax = 5;

    /// <summary>After this time a wait is asked again for a release that the host does not know yet.</summary>
    private static readonly TimeSpan AskAgainDelay = TimeSpan.FromMilliseconds(500);

    private readonly TimeProvider _time = time ?? TimeProvider.System;

    /// <summary>
    /// Enumerates snapshots; the last one, which is always delivered, has the result. Only the newest counts are kept: a slow reader misses
    /// some in between. A lost connection is retried within the timeout, at most five times.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release.</param>
    /// <param name="options">Null for the defaults.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="RippleAdminException">The wait was refused, or the host could not be reached again.</exception>
    public async IAsyncEnumerable<FollowSnapshot> FollowAsync(
        string application,
        ulong release,
        FollowOptions? options = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(application);
        options ??= new FollowOptions();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Channel<WaitProgress> updates = Channel.CreateBounded<WaitProgress>(
            new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true });
        Task<WaitResult> wait = WaitAsync(application, release, options, updates.Writer, over.Token);
        try
        {
            var view = new LaggardView(client, application, release, options, _time);
            WaitProgress? progress = null;
            while (await ReadAsync(updates.Reader, options.RefreshInterval, cancellationToken).ConfigureAwait(false) is { } next)
            {
                progress = next.Progress ?? progress;
                await view.RefreshAsync(isForced: false, cancellationToken).ConfigureAwait(false);
                yield return Snapshot(view, progress, null);
            }

            WaitResult result = await wait.ConfigureAwait(false);
            await view.RefreshAsync(isForced: true, cancellationToken).ConfigureAwait(false);
            yield return Snapshot(view, progress, result);
        }
        finally
        {
            await over.CancelAsync().ConfigureAwait(false);
            await ((Task)wait).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        FollowSnapshot Snapshot(LaggardView view, WaitProgress? progress, WaitResult? result)
        {
            int total = result?.Total ?? progress?.Total ?? 0;
            // A wait that ends as soon as it is asked for reports no progress: who has it is known from who has not.
            int holding = progress?.Holding ?? (result is null || view.IsCut ? 0 : total - view.Laggards.Count - view.Rejections.Count);
            return new FollowSnapshot(
                application,
                release,
                total,
                result?.Outcome == WaitOutcome.Held && options.Predicate is null ? total : Math.Clamp(holding, 0, total),
                view.Laggards,
                view.Rejections,
                result);
        }
    }

    /// <summary>The next report, or an empty one when the interval has passed; null if there are no more.</summary>
    private async Task<Update?> ReadAsync(ChannelReader<WaitProgress> reader, TimeSpan interval, CancellationToken cancellationToken)
    {
        using var tick = new CancellationTokenSource(interval, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, tick.Token);
        try
        {
            // A failure of the wait surfaces when its result is awaited.
            return await reader.WaitToReadAsync(either.Token).ConfigureAwait(false) && reader.TryRead(out WaitProgress? progress)
                ? new Update(progress)
                : null;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return new Update(null);
        }
    }

    private async Task<WaitResult> WaitAsync(
        string application, ulong release, FollowOptions options, ChannelWriter<WaitProgress> updates, CancellationToken cancellationToken)
    {
        try
        {
            long start = _time.GetTimestamp();
            var progress = new Reporter(updates) { Generation = options.Generation };
            for (int lost = 0; ; lost++)
            {
                TimeSpan left = options.Timeout - _time.GetElapsedTime(start);
                try
                {
                    string predicate = options.EffectivePredicate;
                    return await (progress.Generation is { } generation
                        ? client.WaitAsync(application, generation, release, predicate, left, progress, cancellationToken)
                        : client.WaitAsync(application, release, predicate, left, progress, cancellationToken)).ConfigureAwait(false);
                }
                catch (RippleAdminException e)
                    when (e.Failure == AdminFailure.Unreachable && lost < AskAgainMax && options.Timeout > _time.GetElapsedTime(start))
                {
                    // The client itself tries the hosts in turn, with increasing delays; this only restarts a wait that had begun.
                }
                catch (RippleAdminException e) when (e.Code == ProblemCodes.Busy && left > AskAgainDelay)
                {
                    // A host that was restored learns within seconds what it does not know, or that its generation ended.
                    lost--;
                    await Task.Delay(AskAgainDelay, _time, cancellationToken).ConfigureAwait(false);
                }
            }
        }
        finally
        {
            updates.TryComplete();
        }
    }

    private sealed record Update(WaitProgress? Progress);

    /// <summary>Reports on the caller's thread, unlike <see cref="Progress{T}"/>: in order, and always before the end.</summary>
    private sealed class Reporter(ChannelWriter<WaitProgress> updates) : IProgress<WaitProgress>
    {
        /// <summary>The generation that is waited for: the first one reported stays. Null before that.</summary>
        public uint? Generation { get; set; }

        public void Report(WaitProgress value)
        {
            Generation ??= value.Generation == 0 ? null : value.Generation;
            updates.TryWrite(value);
        }
    }
}

/// <summary>The nodes that do not have a release, as of the last query. One caller at a time.</summary>
internal sealed class LaggardView(RippleAdminClient client, string application, ulong release, FollowOptions options, TimeProvider time)
{
    private long? _queriedAt;

    public IReadOnlyList<NodeInfo> Laggards { get; private set; } = [];

    public IReadOnlyList<NodeInfo> Rejections { get; private set; } = [];

    /// <summary>Whether there are more than were looked at, or none were yet.</summary>
    public bool IsCut { get; private set; } = true;

    /// <summary>Queries again, unless the last query is recent. If the host cannot be reached, the previous result stays.</summary>
    /// <param name="isForced">True to query in any case.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async Task RefreshAsync(bool isForced, CancellationToken cancellationToken)
    {
        if (!isForced && _queriedAt is { } last && time.GetElapsedTime(last) < options.RefreshInterval)
        {
            return;
        }

        _queriedAt = time.GetTimestamp();
        try
        {
            await QueryAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (RippleAdminException e) when (e.Failure == AdminFailure.Unreachable)
        {
            // If this persists, the wait reports it.
        }
    }

    private async Task QueryAsync(CancellationToken cancellationToken)
    {
        var laggards = new List<NodeInfo>();
        var rejections = new List<NodeInfo>();
        // A release in effect has been received too, but it may not be on disk.
        var query = new NodeQuery { BehindRelease = options.Level == FollowLevel.Persisted ? null : release };
        int count = 0;
        await foreach (NodeInfo node in client.ListNodesAsync(application, query, cancellationToken).ConfigureAwait(false))
        {
            switch (node.StandingTo(release, options.Level))
            {
                case Standing.Rejected:
                    rejections.Add(node);
                    break;
                case Standing.Behind:
                    laggards.Add(node);
                    break;
            }

            if (++count >= options.NodesMax)
            {
                break;
            }
        }

        Laggards = laggards;
        Rejections = rejections;
        IsCut = count >= options.NodesMax;
    }
}
