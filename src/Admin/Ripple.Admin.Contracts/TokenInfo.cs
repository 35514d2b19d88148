namespace Ripple.Admin.Contracts;

/// <summary>A token, without its secret.</summary>
/// <param name="TokenId">Its id.</param>
/// <param name="Name">Its name for people; empty when it has none.</param>
/// <param name="State">Whether it is good.</param>
/// <param name="Created">When it was made, UTC.</param>
/// <param name="Expires">When it ends, UTC; null: never.</param>
/// <param name="Revoked">When it was revoked, UTC; null: it was not.</param>
/// <param name="Roles">What it may do.</param>
public sealed record TokenInfo(
    string TokenId,
    string Name,
    TokenState State,
    DateTimeOffset Created,
    DateTimeOffset? Expires,
    DateTimeOffset? Revoked,
    IReadOnlyList<RoleGrant> Roles);
