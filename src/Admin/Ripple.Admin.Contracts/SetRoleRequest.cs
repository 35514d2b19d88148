using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>Gives a token a role in an application, replacing the previous one.</summary>
/// <param name="Role">The role; a request without it is refused, for the lowest role would take away what the token had.</param>
public sealed record SetRoleRequest([property: JsonRequired] Role Role);
