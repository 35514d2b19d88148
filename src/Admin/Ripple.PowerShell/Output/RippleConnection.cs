using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>The connected cluster. Contains no secret.</summary>
public sealed class RippleConnection
{
    internal RippleConnection(ClusterInfo cluster, Identity identity)
    {
        ClusterId = cluster.ClusterId;
        Host = cluster.Host;
        Version = cluster.Version;
        Actor = identity.Actor;
        Roles = [.. identity.Roles.Select(r => $"{r.Role.ToString().ToLowerInvariant()} of {r.Application}")];
    }

    /// <summary>The cluster's id.</summary>
    public string ClusterId { get; }

    /// <summary>The host that answered.</summary>
    public string Host { get; }

    /// <summary>The version of that host.</summary>
    public string Version { get; }

    /// <summary>The name under which the caller's changes are recorded.</summary>
    public string Actor { get; }

    /// <summary>The roles of the token.</summary>
    public string[] Roles { get; }
}
