namespace Ripple.Admin.Contracts;

/// <summary>Makes a token.</summary>
public sealed record CreateTokenRequest
{
    /// <summary>The applications it is good for; <c>*</c> alone for all. At least one.</summary>
    public required IReadOnlyList<string> Applications { get; init; }

    /// <summary>What it may do there.</summary>
    public Role Role { get; init; }

    /// <summary>A name for people: 1 to 64 of <c>A-Z a-z 0-9 . _ -</c>; empty for none.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Days until it ends, 1 to 3650; null: never.</summary>
    public int? ExpiresInDays { get; init; }
}
