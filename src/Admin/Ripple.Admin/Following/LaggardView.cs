using Ripple.Admin.Contracts;
using Ripple.Admin.Holders;

namespace Ripple.Admin.Following;

/// <summary>Who does not have a release, as last seen. One caller at a time.</summary>
internal sealed class LaggardView(RippleAdminClient client, string application, ulong release, FollowOptions options, TimeProvider time)
{
    private long? _lookedAt;

    public IReadOnlyList<NodeInfo> Laggards { get; private set; } = [];

    public IReadOnlyList<NodeInfo> Rejections { get; private set; } = [];

    /// <summary>Looks again, unless it just did. A host that cannot be reached leaves what was seen last.</summary>
    /// <param name="isForced">True to look in any case.</param>
    /// <param name="cancellationToken">Gives up.</param>
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
            // The wait says so when it lasts.
        }
    }

    private async Task LookAsync(CancellationToken cancellationToken)
    {
        var laggards = new List<NodeInfo>();
        var rejections = new List<NodeInfo>();
        // What is in effect was received; but it may be in effect and not on disk.
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
