using Ripple.Engine.Nodes;
using Ripple.Gms;
using Ripple.Simulator.Adversary;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Oracles.Costs;
using Ripple.Simulator.Oracles.Events;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Cluster;

/// <summary>The composition of a simulated cluster, and the events of its run.</summary>
public sealed record ClusterOptions
{
    /// <summary>The number of client nodes. Default 10.</summary>
    public int Nodes { get; init; } = 10;

    /// <summary>The length of the run. Default 60 s.</summary>
    public long DurationNs { get; init; } = 60_000_000_000;

    /// <summary>
    /// The length of the quiet period at the end, without faults or publishes, by the end of which all nodes must have converged. Default
    /// 20 s.
    /// </summary>
    public long QuietEndNs { get; init; } = 20_000_000_000;

    /// <summary>The mean time between publishes. Default 400 ms.</summary>
    public long PublishEveryNs { get; init; } = 400_000_000;

    /// <summary>The share of releases that those nodes reject which reject any. Default 0.05.</summary>
    public double RejectShare { get; init; } = 0.05;

    /// <summary>Whether faults occur. Default true.</summary>
    public bool HasFaults { get; init; } = true;

    /// <summary>Whether a member that has the region's key forges packets. Default true.</summary>
    public bool HasForger { get; init; } = true;

    /// <summary>Whether the host is restored from an older copy of its disk in the middle of the run. Default false.</summary>
    public bool HasRestore { get; init; }

    /// <summary>
    /// The number of multicast groups the host has. With any, one node in five cannot join groups, and another one in five joins but
    /// receives nothing. Default 0.
    /// </summary>
    public int GroupsMax { get; init; }

    /// <summary>
    /// Maximum number of members of a region. Default 500: with fewer nodes, no second region of the same interest is created.
    /// </summary>
    public int RegionMembersMax { get; init; } = 500;

    /// <summary>Changes the host's options of this cluster; null for none.</summary>
    internal Func<GmsOptions, GmsOptions>? TuneHost { get; init; }

    /// <summary>The fewest members of a part of a view; null for the host's default, which no cluster here reaches.</summary>
    internal int? PartMembers { get; init; }

    /// <summary>In how many datagrams parts tell the host a round, unless the host's own options say; null for the default.</summary>
    internal int? AggregateDatagramsMax { get; init; }

    /// <summary>How many members keep a packet for others; null for the host's default, which takes more members than most clusters here
    /// have.</summary>
    internal int? CacheOwners { get; init; }

    /// <summary>Of so many members one may be a leaf; null for the host's default, which takes more members than most clusters here
    /// have.</summary>
    internal int? MembersPerLeaf { get; init; }

    /// <summary>How long a node takes to verify a release, beside its core, in nanoseconds. Default 62 us.</summary>
    internal long VerifyNs { get; init; } = 62_000;

    /// <summary>The sizes of the nodes' windows and queues.</summary>
    internal NodeLimits NodeLimits { get; init; } = NodeLimits.Default;

    /// <summary>
    /// One node in this many runs the real client of the SDK, and so does the publisher; 0 (the default) for none, whose nodes are then
    /// driven by an imitation.
    /// </summary>
    internal int RealClientsEvery { get; init; }

    /// <summary>
    /// Whether publishers that are real clients also change what their applications say about themselves: predicates, areas, levels, and
    /// what an external reports. Default false.
    /// </summary>
    internal bool ChangesDefinitions { get; init; }

    /// <summary>
    /// One real client in this many runs in a .NET host, which validates its options before a release takes effect; 0 (the default) for
    /// none.
    /// </summary>
    internal int HostedEvery { get; init; }

    /// <summary>Faults besides those of every plan; none by default, and none without <see cref="HasFaults"/>.</summary>
    internal ClusterFaults MoreFaults { get; init; }

    /// <summary>Which items the run has. Default all.</summary>
    internal RunScript Script { get; init; } = RunScript.None;

    /// <summary>Keeps what happens; null (the default) for nothing.</summary>
    internal TraceLog? Trace { get; init; }

    /// <summary>The applications. Nodes belong to them in turn, and so do publishers. Default one.</summary>
    internal IReadOnlyList<string> Applications { get; init; } = [SimulatedCluster.Application];

    /// <summary>The number of publishers of each application. Default 1.</summary>
    internal int PublishersEach { get; init; } = 1;

    /// <summary>Changes the settings of a node, by its number; null for none.</summary>
    internal Func<int, NodeOptions, NodeOptions>? TuneNode { get; init; }

    /// <summary>Changes how a publisher behaves; null for none.</summary>
    internal Action<SimulatedWorld, SimulatedPublisher, ClusterOracles>? TunePublisher { get; init; }

    /// <summary>What is judged besides the rules that always are; nothing by default.</summary>
    internal Judges Judges { get; init; } = Judges.None;

    /// <summary>What an attacker with a captured member does; null (the default) for none.</summary>
    internal AttackOptions? Attack { get; init; }

    /// <summary>Whether the real store is given at the end what the simulated one was, and compared with it. Default false.</summary>
    internal bool ComparesStore { get; init; }

    /// <summary>Whether applications are created and rollbacks planned, as through the host's HTTP interface. Default false.</summary>
    internal bool HasAdminCalls { get; init; }

    /// <summary>Whether programs with the real client watch every release of their application, which takes calls. Default true.</summary>
    internal bool WatchesHistory { get; init; } = true;

    /// <summary>Whether a restored host gives numbers again while all who know better are away. Default false.</summary>
    internal bool Forks { get; init; }

    /// <summary>What becomes of the mark beside a store that is restored; null (the default) for kept or lost, by chance.</summary>
    internal MarkFate? RestoredMark { get; init; }

    /// <summary>What happens in a run in which nothing fails by chance, whose delays, counts and rest are judged; null for other runs.
    /// </summary>
    internal CostEvent? Costs { get; init; }

    /// <summary>
    /// Whether the host has a processor, and all nodes share another, which lose half of their speed for a while; what a release costs then
    /// is judged. Default false.
    /// </summary>
    internal bool HasPressure { get; init; }

    /// <summary>
    /// What may happen to events, which the real clients emit and subscribe to until the middle of the quiet end; null (the default) for no
    /// events.
    /// </summary>
    internal EventRules? Events { get; init; }

    /// <summary>The mean time between emits. Default 80 ms.</summary>
    internal long EmitEveryNs { get; init; } = 80_000_000;
}
