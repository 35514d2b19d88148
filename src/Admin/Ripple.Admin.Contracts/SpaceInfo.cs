namespace Ripple.Admin.Contracts;

/// <summary>The space of an application's events: the attributes that every event has, and their ranges.</summary>
public sealed record SpaceInfo
{
    /// <summary>The space as it was written.</summary>
    public required string Text { get; init; }

    /// <summary>The release of the definitions that set it, or a later one: it grows whenever the space changes.</summary>
    public required ulong Version { get; init; }
}
