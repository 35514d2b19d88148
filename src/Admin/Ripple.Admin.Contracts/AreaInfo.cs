namespace Ripple.Admin.Contracts;

/// <summary>An area: zones that predicates select together.</summary>
public sealed record AreaInfo
{
    /// <summary>The name.</summary>
    public required string Name { get; init; }

    /// <summary>Its zones.</summary>
    public required IReadOnlyList<string> Zones { get; init; }
}
