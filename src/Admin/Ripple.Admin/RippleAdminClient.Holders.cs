using System.Runtime.CompilerServices;
using Ripple.Admin.Contracts;
using Ripple.Admin.Following;
using Ripple.Admin.Holders;

namespace Ripple.Admin;

/// <content>Who holds a release.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>Who has a release in effect, and who does not.</summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release; null for the newest.</param>
    /// <param name="cancellationToken">Gives up.</param>
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

        // The list is the younger of the two: a node may have come since.
        int total = Math.Max(frontier.NodeCount, behind.Count + rejected.Count);
        return new ReleaseHolders(application, number, total, total - behind.Count - rejected.Count, behind, rejected);
    }

    /// <summary>
    /// The same again and again, until every node has the release or rejected it. Gives each state that differs from the one before, at
    /// least one.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release; null for the newest at the moment of the call.</param>
    /// <param name="interval">How long to wait between two looks; null: 250 ms.</param>
    /// <param name="cancellationToken">Gives up.</param>
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
