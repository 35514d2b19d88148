using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.PowerShell.Output;

/// <summary>A connection to a cluster, for <c>-Connection</c> of every cmdlet. Shows no secret.</summary>
public sealed class RippleConnection
{
    private const int ShortIdChars = 8;

    internal RippleConnection(RippleAdminClient client, ClusterInfo cluster, Identity identity)
    {
        Client = client;
        ClusterId = cluster.ClusterId;
        Host = cluster.Host;
        Version = cluster.Version;
        Actor = identity.Actor;
        Roles = [.. identity.Roles.Select(RippleRole.Text)];
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

    /// <summary>Talks to the cluster; shared by the connections of one connection string.</summary>
    internal RippleAdminClient Client { get; }

    /// <summary>The cluster as questions name it: the first digits of its id, and the host.</summary>
    internal string Place =>
        $"cluster {ShownText.Line(ClusterId.Length > ShortIdChars ? ClusterId[..ShortIdChars] : ClusterId)} ({ShownText.Line(Host)})";
}
