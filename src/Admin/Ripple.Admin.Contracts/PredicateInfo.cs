namespace Ripple.Admin.Contracts;

/// <summary>A predicate with a name.</summary>
public sealed record PredicateInfo
{
    /// <summary>The name, which a wait may give instead of the predicate.</summary>
    public required string Name { get; init; }

    /// <summary>The predicate.</summary>
    public required string Text { get; init; }

    /// <summary>The release of the definitions that set it, or a later one: it grows whenever the predicate changes.</summary>
    public required ulong Version { get; init; }
}
