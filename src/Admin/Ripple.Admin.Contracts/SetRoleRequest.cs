namespace Ripple.Admin.Contracts;

/// <summary>Gives a token a role in an application, instead of the one it had there.</summary>
/// <param name="Role">The role.</param>
public sealed record SetRoleRequest(Role Role);
