namespace Ripple.Admin.Contracts;

/// <summary>A token's role in an application.</summary>
/// <param name="TokenId">The token.</param>
/// <param name="Application">The application; <c>*</c> for all.</param>
/// <param name="Role">The role.</param>
public sealed record RoleGrant(string TokenId, string Application, Role Role);
