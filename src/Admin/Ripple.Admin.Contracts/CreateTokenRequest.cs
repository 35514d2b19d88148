namespace Ripple.Admin.Contracts;

/// <summary>Creates a token.</summary>
public sealed record CreateTokenRequest
{
    /// <summary>The applications the token is valid for; <c>*</c> alone for all. At least one.</summary>
    public required IReadOnlyList<string> Applications { get; init; }

    /// <summary>The token's role in those applications.</summary>
    public Role Role { get; init; }

    /// <summary>The display name: 1 to 64 of <c>A-Z a-z 0-9 . _ -</c>; empty for none.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>The number of days until the token expires, 1 to 3650; null if it never does.</summary>
    public int? ExpiresInDays { get; init; }
}
