using Ripple.Admin.Contracts;

namespace Ripple.Admin.Following;

/// <summary>What is followed, and how closely. Immutable.</summary>
public sealed record FollowOptions
{
    /// <summary>How far the release must be at a node. Default: applied.</summary>
    public FollowLevel Level { get; init; } = FollowLevel.Applied;

    /// <summary>The predicate that ends it; null: every node of the application has it at <see cref="Level"/>.</summary>
    public string? Predicate { get; init; }

    /// <summary>When to give up. Default 5 minutes; at most <see cref="AdminLimits.WaitSecondsMax"/> seconds.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>The least time between two looks at who is behind; counts come as the host tells them. Default 1 s.</summary>
    public TimeSpan RefreshInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The most nodes looked at each time. Default 1,000: those above it are counted and not named.</summary>
    public int NodesMax { get; init; } = 1_000;

    /// <summary>The predicate in effect.</summary>
    public string EffectivePredicate => Predicate ?? Level switch
    {
        FollowLevel.Received => "MIN($ALL.received)",
        FollowLevel.Persisted => "MIN($ALL.persisted)",
        _ => "MIN($ALL.applied)",
    };
}
