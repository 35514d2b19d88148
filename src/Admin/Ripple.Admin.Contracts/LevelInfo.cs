namespace Ripple.Admin.Contracts;

/// <summary>A level of an application's own, which its nodes report and predicates name.</summary>
public sealed record LevelInfo
{
    /// <summary>The name.</summary>
    public required string Name { get; init; }

    /// <summary>What it means; may be empty.</summary>
    public required string Description { get; init; }
}
