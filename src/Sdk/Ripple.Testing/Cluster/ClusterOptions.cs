using Ripple.Engine.Core;
using Ripple.Gms;

namespace Ripple.Testing.Cluster;

/// <summary>What a simulated cluster is made of, and what happens in it.</summary>
public sealed record ClusterOptions
{
    /// <summary>Client nodes. Default 10.</summary>
    public int Nodes { get; init; } = 10;

    /// <summary>How long the run is. Default 60 s.</summary>
    public long DurationNs { get; init; } = 60_000_000_000;

    /// <summary>
    /// How long before the end nothing goes wrong any more and nothing is published, so that all must converge. Default 20 s.
    /// </summary>
    public long QuietEndNs { get; init; } = 20_000_000_000;

    /// <summary>The mean time between publishes. Default 400 ms.</summary>
    public long PublishEveryNs { get; init; } = 400_000_000;

    /// <summary>Whether things go wrong. Default true.</summary>
    public bool HasFaults { get; init; } = true;

    /// <summary>Whether a member that has the region's key forges. Default true.</summary>
    public bool HasForger { get; init; } = true;

    /// <summary>Whether the host is restored from an older copy of its disk in the middle of the run. Default false.</summary>
    public bool HasRestore { get; init; }

    /// <summary>
    /// How many multicast groups the host has; with some, one node in five cannot join any, and one hears nothing. Default 0.
    /// </summary>
    public int GroupsMax { get; init; }

    /// <summary>The most members of one region. Default 500: no second region of the same interest is made.</summary>
    public int RegionMembersMax { get; init; } = 500;

    /// <summary>The rule the host breaks; none by default.</summary>
    internal PlantedHostBugs HostBugs { get; init; } = PlantedHostBugs.None;

    /// <summary>The rule the nodes break; none by default.</summary>
    internal PlantedNodeBugs NodeBugs { get; init; } = PlantedNodeBugs.None;
}
