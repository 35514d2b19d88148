namespace Ripple.Admin.Contracts;

/// <summary>
/// What a revocation or the withdrawal of a role ends, or would end: what was named, and what was made by a right that ends with it, as it
/// was when that was ordered. The audit names each as it ended.
/// </summary>
/// <param name="Tokens">The ids of the tokens that are revoked.</param>
/// <param name="Roles">The roles that are taken away.</param>
public sealed record EndedRights(IReadOnlyList<string> Tokens, IReadOnlyList<RoleGrant> Roles);
