using Ripple.Admin.Contracts;
using Ripple.Admin.Holders;

namespace Ripple.Admin.Following;

/// <summary>The nodes that do not have a release, as of the last query. One caller at a time.</summary>
internal sealed class LaggardView(RippleAdminClient client, string application, ulong release, FollowOptions options, TimeProvider time)
{
    private long? _lookedAt;

    public IReadOnlyList<NodeInfo> Laggards { get; private set; } = [];

    public IReadOnlyList<NodeInfo> Rejections { get; private set; } = [];

    /// <summary>Queries again, unless the last query is recent. If the host cannot be reached, the previous result stays.</summary>
    /// <param name="isForced">True to query in any case.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async Task RefreshAsync(bool isForced, CancellationToken cancellationToken)
    {
        if (!isForced && _lookedAt is { } last && time.GetElapsedTime(last) < options.RefreshInterval)
        {
            return;
        }

        _lookedAt = time.GetTimestamp();
        try
        {
            await LookAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (RippleAdminException e) when (e.Failure == AdminFailure.Unreachable)
        {
            // If this persists, the wait reports it.
        }
    }

    private async Task LookAsync(CancellationToken cancellationToken)
    {
        var laggards = new List<NodeInfo>();
        var rejections = new List<NodeInfo>();
        // A release in effect has been received too, but it may not be on disk.
        var query = new NodeQuery { BehindRelease = options.Level == FollowLevel.Persisted ? null : release };
        int looked = 0;
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

            if (++looked >= options.NodesMax)
            {
                break;
            }
        }

        Laggards = laggards;
        Rejections = rejections;
    }
}
