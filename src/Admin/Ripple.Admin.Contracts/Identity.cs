namespace Ripple.Admin.Contracts;

/// <summary>Who asks, as the host sees it.</summary>
/// <param name="TokenId">The token's id.</param>
/// <param name="Name">The token's name for people; empty when it has none.</param>
/// <param name="Actor">What changes are recorded under.</param>
/// <param name="Roles">What it may do.</param>
public sealed record Identity(string TokenId, string Name, string Actor, IReadOnlyList<RoleGrant> Roles);
