using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>The cluster connected to. No secret.</summary>
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

    /// <summary>Its version.</summary>
    public string Version { get; }

    /// <summary>The name that changes are recorded under.</summary>
    public string Actor { get; }

    /// <summary>What the token may do.</summary>
    public string[] Roles { get; }
}
