namespace Ripple.Admin.Contracts;

/// <summary>An event that a subscription's ranges have.</summary>
public sealed record SpaceEvent
{
    /// <summary>Its name, the same wherever and however often it comes.</summary>
    public required string Id { get; init; }

    /// <summary>Its values, as text.</summary>
    public required IReadOnlyDictionary<string, string> Point { get; init; }

    /// <summary>What it carries, if that is text; null if it is not.</summary>
    public string? Text { get; init; }

    /// <summary>What it carries, if that is not text; null if it is.</summary>
    public byte[]? Bytes { get; init; }

    /// <summary>The events that were lost right before it, because they came faster than they were read.</summary>
    public required ulong Dropped { get; init; }
}
