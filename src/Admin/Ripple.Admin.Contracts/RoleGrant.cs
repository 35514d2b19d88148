namespace Ripple.Admin.Contracts;

/// <summary>A token's role in an application.</summary>
/// <param name="TokenId">The token.</param>
/// <param name="Application">The application; <c>*</c> for all.</param>
/// <param name="Role">The role.</param>
public sealed record RoleGrant(string TokenId, string Application, Role Role)
{
    /// <summary>
    /// The id of the token that gave the role, with whose right it ends; null for one that the host or its command gave, or from before it
    /// was kept.
    /// </summary>
    public string? MadeBy { get; init; }
}
