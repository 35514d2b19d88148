namespace Ripple.Admin.Contracts;

/// <summary>What an application says about itself. Definitions are releases of a companion application, so they have a history.</summary>
public sealed record DefinitionsInfo
{
    /// <summary>The application.</summary>
    public required string Application { get; init; }

    /// <summary>The newest release of its definitions; 0 if nothing was ever defined.</summary>
    public required ulong Release { get; init; }

    /// <summary>The predicates, by name.</summary>
    public required IReadOnlyList<PredicateInfo> Predicates { get; init; }

    /// <summary>The levels of its own, by name.</summary>
    public IReadOnlyList<LevelInfo> Levels { get; init; } = [];

    /// <summary>The areas, by name.</summary>
    public IReadOnlyList<AreaInfo> Areas { get; init; } = [];

    /// <summary>What reports levels and is no process of Ripple's, by name.</summary>
    public IReadOnlyList<ExternalInfo> Externals { get; init; } = [];

    /// <summary>The space of its events; null if it has none.</summary>
    public SpaceInfo? Space { get; init; }
}
