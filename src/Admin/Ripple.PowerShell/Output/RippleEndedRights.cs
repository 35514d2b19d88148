using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>What ended with a token or a role: what was named, and what was made by its right.</summary>
public sealed class RippleEndedRights
{
    internal RippleEndedRights(EndedRights ended)
    {
        Tokens = [.. ended.Tokens];
        Roles = [.. ended.Roles.Select(r => new RippleRole(r))];
    }

    /// <summary>The ids of the tokens that were revoked.</summary>
    public string[] Tokens { get; }

    /// <summary>The roles that were taken away.</summary>
    public RippleRole[] Roles { get; }
}
