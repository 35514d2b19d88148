using Ripple.Engine.Regions;
using Ripple.Trust;

namespace Ripple.Gms.Store;

/// <summary>A node whose certificate is good no more, although its token may be. Immutable.</summary>
/// <param name="Node">The node's id, as its certificate names it.</param>
/// <param name="Name">What it called itself; empty if that is not known.</param>
/// <param name="Application">The application whose audit has it; null for the cluster's.</param>
/// <param name="TimeUnixMicros">When it was revoked, in microseconds of Unix time, UTC.</param>
/// <param name="Actor">Who revoked it.</param>
/// <param name="Reason">Why, for people; may be empty.</param>
internal sealed record RevokedNode(
    NodeId Node, string Name, string? Application, long TimeUnixMicros, string Actor, string Reason)
{
    /// <summary>
    /// How long it is kept, in microseconds: no certificate is made for it any more, and those it has have ended by then. A day is for
    /// clocks that differ.
    /// </summary>
    public static readonly long KeptMicros = (ClusterAuthority.NodeLifetime + TimeSpan.FromDays(1)).Ticks / TimeSpan.TicksPerMicrosecond;

    /// <summary>True once no certificate of the node can be good.</summary>
    public bool IsOver(long nowUnixMicros) => TimeUnixMicros + KeptMicros < nowUnixMicros;

    /// <summary>Its audit entry.</summary>
    public AuditEntry ToAudit() => new(
        TimeUnixMicros,
        Actor,
        "node.revoke",
        Application,
        null,
        $"{Node}{(Name.Length > 0 ? $" ({Name})" : "")}{(Reason.Length > 0 ? $": {Reason}" : "")}");
}
