using System.Runtime.CompilerServices;
using Ripple.Admin.Contracts;
using Ripple.Admin.Following;
using Ripple.Admin.Holders;

namespace Ripple.Admin;

/// <content>The holders of a release.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>The nodes that have a release in effect, and those that do not.</summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release; null for the newest.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="RippleAdminException">There is no such release, or no release at all.</exception>
    public async Task<ReleaseHolders> GetHoldersAsync(
        string application, ulong? release = null, CancellationToken cancellationToken = default)
    {
        Contracts.Frontier frontier = await GetFrontierAsync(application, cancellationToken).ConfigureAwait(false);
        ulong number = release ?? frontier.Release;
        if (number == 0 || number > frontier.Release)
        {
            string what = frontier.Release == 0 ? "no release yet" : $"no release {number}; the newest is {frontier.Release}";
            throw new RippleAdminException(
                new Problem
                {
                    Code = ProblemCodes.NotFound,
                    Title = "There is no such release",
                    Detail = $"'{application}' has {what}.",
                    Status = 404,
                });
        }

        var behind = new List<NodeInfo>();
        var rejected = new List<NodeInfo>();
        await foreach (NodeInfo node in ListNodesAsync(
            application, new NodeQuery { BehindRelease = number }, cancellationToken).ConfigureAwait(false))
        {
            switch (node.StandingTo(number, FollowLevel.Applied))
            {
                case Standing.Rejected:
                    rejected.Add(node);
                    break;
                case Standing.Behind:
                    behind.Add(node);
                    break;
            }
        }

        // The list is newer than the frontier: nodes may have joined in between.
        int total = Math.Max(frontier.NodeCount, behind.Count + rejected.Count);
        return new ReleaseHolders(application, number, total, total - behind.Count - rejected.Count, behind, rejected);
    }

    /// <summary>
    /// Repeats <see cref="GetHoldersAsync"/> until every node has the release or rejected it. Yields the first state, and then each one
    /// that differs from the previous.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release; null for the newest at the time of the call.</param>
    /// <param name="interval">The time between two queries; null for 250 ms.</param>
    /// <param name="cancellationToken">Cancels the enumeration.</param>
    public async IAsyncEnumerable<ReleaseHolders> WatchHoldersAsync(
        string application,
        ulong? release = null,
        TimeSpan? interval = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        ReleaseHolders now = await GetHoldersAsync(application, release, cancellationToken).ConfigureAwait(false);
        yield return now;
        using var timer = new PeriodicTimer(interval ?? TimeSpan.FromMilliseconds(250));
        while (!now.IsSettled)
        {
            await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false);
            ReleaseHolders before = now;
            now = await GetHoldersAsync(application, before.Release, cancellationToken).ConfigureAwait(false);
            if (now.Total != before.Total
                || now.Holding != before.Holding
                || !now.Behind.SequenceEqual(before.Behind)
                || !now.Rejected.SequenceEqual(before.Rejected))
            {
                yield return now;
            }
        }
    }
}
