namespace Ripple.Admin.Contracts;

/// <summary>Gives a token a role in an application, replacing the previous one.</summary>
/// <param name="Role">The role.</param>
public sealed record SetRoleRequest(Role Role);
