using Ripple.Admin.Contracts;

namespace Ripple.Admin.Following;

/// <summary>What to follow, and how closely. Immutable.</summary>
public sealed record FollowOptions
{
    /// <summary>The level a node must reach with the release. Default: applied.</summary>
    public FollowLevel Level { get; init; } = FollowLevel.Applied;

    /// <summary>
    /// The predicate that ends the wait; null to wait until every node of the application has the release at <see cref="Level"/>.
    /// </summary>
    public string? Predicate { get; init; }

    /// <summary>
    /// The generation of the release, as the answer to a publish tells it; null for the present one, which stays the one that is waited for
    /// once the host has taken the wait. Default null.
    /// </summary>
    public uint? Generation { get; init; }

    /// <summary>How long to wait. Default 5 minutes; at most <see cref="AdminLimits.WaitSecondsMax"/> seconds.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The minimum time between two queries for the nodes that are behind; counts arrive as the host reports them. Default 1 s.
    /// </summary>
    public TimeSpan RefreshInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Maximum number of nodes examined in each query. Default 1,000; nodes beyond it are counted but not named.</summary>
    public int NodesMax { get; init; } = 1_000;

    /// <summary>The predicate in effect.</summary>
    public string EffectivePredicate => Predicate ?? Level switch
    {
        FollowLevel.Received => "MIN($ALL.received)",
        FollowLevel.Persisted => "MIN($ALL.persisted)",
        _ => "MIN($ALL.applied)",
    };
}
