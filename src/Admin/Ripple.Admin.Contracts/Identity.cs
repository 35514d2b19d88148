namespace Ripple.Admin.Contracts;

/// <summary>The caller, as seen by the host.</summary>
/// <param name="TokenId">The token's id.</param>
/// <param name="Name">The token's display name; empty if it has none.</param>
/// <param name="Actor">The name under which the caller's changes are recorded.</param>
/// <param name="Roles">The caller's roles.</param>
public sealed record Identity(string TokenId, string Name, string Actor, IReadOnlyList<RoleGrant> Roles);
