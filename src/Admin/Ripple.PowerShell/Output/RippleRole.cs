using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>A token's role in an application.</summary>
public sealed class RippleRole
{
    internal RippleRole(RoleGrant grant)
    {
        TokenId = grant.TokenId;
        Application = grant.Application;
        Role = grant.Role;
        MadeBy = grant.MadeBy;
    }

    /// <summary>The id of the token.</summary>
    public string TokenId { get; }

    /// <summary>The application; <c>*</c> for all.</summary>
    public string Application { get; }

    /// <summary>The role.</summary>
    public Role Role { get; }

    /// <summary>The id of the token that gave it; null if the host did.</summary>
    public string? MadeBy { get; }

    /// <summary>The role in words.</summary>
    internal static string Text(RoleGrant grant) => $"{grant.Role.ToString().ToLowerInvariant()} of {grant.Application}";
}
