namespace Ripple.Admin.Contracts;

/// <summary>A token, without its secret.</summary>
/// <param name="TokenId">Its id.</param>
/// <param name="Name">Its display name; empty if it has none.</param>
/// <param name="State">Whether it is valid.</param>
/// <param name="Created">When it was created, UTC.</param>
/// <param name="Expires">When it expires, UTC; null if never.</param>
/// <param name="Revoked">When it was revoked, UTC; null if it was not.</param>
/// <param name="Roles">Its roles.</param>
public sealed record TokenInfo(
    string TokenId,
    string Name,
    TokenState State,
    DateTimeOffset Created,
    DateTimeOffset? Expires,
    DateTimeOffset? Revoked,
    IReadOnlyList<RoleGrant> Roles)
{
    /// <summary>
    /// The id of the token that made it, with which it ends; null for one that the host or its command made, or from before it was kept.
    /// </summary>
    public string? MadeBy { get; init; }
}
