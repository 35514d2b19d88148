using Ripple.Engine.Regions;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The member that a row of the frontier describes: one incarnation of a node, with the properties that predicates select by. Immutable.
/// Names, zones and labels are compared ordinally and are case-sensitive.
/// </summary>
internal sealed record FrontierMember
{
    /// <summary>The node.</summary>
    public required NodeId Node { get; init; }

    /// <summary>Its incarnation: another incarnation of the same node is another member.</summary>
    public required ulong Incarnation { get; init; }

    /// <summary>The node's display name; need not be unique.</summary>
    public required string Name { get; init; }

    /// <summary>The zone (data center) it runs in. Areas are sets of zones: <see cref="FrontierTable.Areas"/>.</summary>
    public required string Zone { get; init; }

    /// <summary>Its labels; sorted by key, then value, when set. Default none.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Labels
    {
        get;
        init
        {
            KeyValuePair<string, string>[] sorted = [.. value];
            Array.Sort(sorted, CompareLabels);
            field = sorted;
        }
    } = [];

    /// <summary>True for a host. Default false.</summary>
    public bool IsHost { get; init; }

    /// <summary>True for a host that is the primary or a backup of the application. Default false.</summary>
    public bool IsReplica { get; init; }

    /// <summary>
    /// True for what is no process of Ripple's, a pipeline or a test bench, and reports levels of the application's own. Default false.
    /// </summary>
    public bool IsExternal { get; init; }

    /// <summary>True for a client of the application.</summary>
    public bool IsNode => !IsHost && !IsExternal;

    /// <summary>The name of the client's home host, or of the host itself; null when not known.</summary>
    public string? HostName { get; init; }

    private static int CompareLabels(KeyValuePair<string, string> a, KeyValuePair<string, string> b)
    {
        int byKey = string.CompareOrdinal(a.Key, b.Key);
        return byKey != 0 ? byKey : string.CompareOrdinal(a.Value, b.Value);
    }
}

/// <summary>Whether a member takes part, as far as is known.</summary>
internal enum MemberStatus
{
    /// <summary>It takes part.</summary>
    Present,

    /// <summary>It was skipped by its ring or missed heartbeats. For display only: it counts as present.</summary>
    Silent,

    /// <summary>It left in good order. Final for the incarnation.</summary>
    Left,

    /// <summary>It was removed as failed. Final for the incarnation.</summary>
    Failed,
}
