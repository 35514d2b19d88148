using System.Text.Json.Serialization;

namespace Ripple.Load.Push;

/// <summary>What was measured. Names are part of what readers of the JSON rely on.</summary>
internal sealed record PushResult
{
    [JsonPropertyName("scenario")]
    public string Scenario { get; } = "push";

    /// <summary>True when the clients were .NET hosts with reloading options.</summary>
    [JsonPropertyName("sdk")]
    public required bool IsSdk { get; init; }

    /// <summary>True when the host sent its streams to groups.</summary>
    [JsonPropertyName("multicast")]
    public required bool IsMulticast { get; init; }

    [JsonPropertyName("clients")]
    public required int Clients { get; init; }

    [JsonPropertyName("bytes")]
    public required int Bytes { get; init; }

    [JsonPropertyName("count")]
    public required int Count { get; init; }

    [JsonPropertyName("rate")]
    public required double Rate { get; init; }

    /// <summary>The most publishes under way; 0 where a rate was kept.</summary>
    [JsonPropertyName("window")]
    public required int Window { get; init; }

    /// <summary>Over how many processes the nodes were spread.</summary>
    [JsonPropertyName("processes")]
    public required int Processes { get; init; }

    /// <summary>Releases that took effect at a node and were checked there, all nodes together.</summary>
    [JsonPropertyName("deliveries_s")]
    public required double DeliveriesPerSecond { get; init; }

    [JsonPropertyName("releases_s")]
    public double ReleasesPerSecond { get; init; }

    [JsonPropertyName("last_p50_ms")]
    public required double LastP50Ms { get; init; }

    [JsonPropertyName("last_p99_ms")]
    public required double LastP99Ms { get; init; }

    /// <summary>Publish to last node, before every core was kept busy. Null without <c>--disturb</c>, as the next three.</summary>
    [JsonPropertyName("last_p50_ms_before")]
    public double? LastP50MsBefore { get; init; }

    /// <summary>The same from when it was recovered from; null when it was not.</summary>
    [JsonPropertyName("last_p50_ms_after")]
    public double? LastP50MsAfter { get; init; }

    /// <summary>
    /// From the end of the disturbance until the first publish of a second whose median is at most 1.2 times the one before, and of which
    /// none took longer than that, or than the 95th percentile before where that is more; null when there was none.
    /// </summary>
    [JsonPropertyName("recovery_s")]
    public double? RecoverySeconds { get; init; }

    /// <summary>The same until the first second whose median is at most 1.2 times the one before.</summary>
    [JsonPropertyName("recovery_median_s")]
    public double? RecoveryMedianSeconds { get; init; }

    /// <summary>Nodes that the host brought forward because they were behind, in the whole measured part.</summary>
    [JsonPropertyName("catch_ups")]
    public required double CatchUps { get; init; }

    /// <summary>The size of the values of an application beside it. Null without <c>--beside</c>, as the next four.</summary>
    [JsonPropertyName("beside_bytes")]
    public int? BesideBytes { get; init; }

    /// <summary>Of that application, publish to last node, while this one was released.</summary>
    [JsonPropertyName("beside_p50_ms")]
    public double? BesideP50Ms { get; init; }

    [JsonPropertyName("beside_p99_ms")]
    public double? BesideP99Ms { get; init; }

    /// <summary>The same before, when nothing else was released.</summary>
    [JsonPropertyName("beside_alone_p99_ms")]
    public double? BesideAloneP99Ms { get; init; }

    /// <summary>The 99th percentile with this application beside it, in times of the one without.</summary>
    [JsonPropertyName("beside_ratio")]
    public double? BesideRatio { get; init; }

    [JsonPropertyName("commit_p50_ms")]
    public required double CommitP50Ms { get; init; }

    /// <summary>
    /// A transaction of one row in the same server of the database, one after another, when nothing is published; null without one.
    /// </summary>
    [JsonPropertyName("bare_commit_p50_ms")]
    public double? BareCommitP50Ms { get; init; }

    /// <summary>Null where a window was kept: nobody waits for proofs there.</summary>
    [JsonPropertyName("proof_p50_ms")]
    public required double? ProofP50Ms { get; init; }

    /// <summary>Of the host: UDP payload and TCP bytes sent, a release; UDP alone where TCP cannot be told.</summary>
    [JsonPropertyName("server_kb_per_release")]
    public required double ServerKbPerRelease { get; init; }

    /// <summary>Of those, what went over connections, by TLS; null where the system does not tell.</summary>
    [JsonPropertyName("server_tcp_kb_per_release")]
    public double? ServerTcpKbPerRelease { get; init; }

    [JsonPropertyName("server_datagrams_per_release")]
    public required double ServerDatagramsPerRelease { get; init; }

    [JsonPropertyName("server_cpu_ms_per_release")]
    public required double ServerCpuMsPerRelease { get; init; }

    [JsonPropertyName("server_rss_mb")]
    public required double ServerRssMb { get; init; }

    /// <summary>
    /// What <c>ripple-host --explain-memory</c> says of this host with its regions, connections and applications: what it comes to hold in
    /// time.
    /// </summary>
    [JsonPropertyName("server_memory_planned_mb")]
    public required double ServerMemoryPlannedMb { get; init; }

    /// <summary>The whole sum it says, with what passes through.</summary>
    [JsonPropertyName("server_memory_sum_mb")]
    public required double ServerMemorySumMb { get; init; }

    /// <summary>
    /// How long a call waited for the host's core, asked every 2 ms: the system's scheduling included. Null without <c>--probe</c>.
    /// </summary>
    [JsonPropertyName("server_core_wait_p99_ms")]
    public required double? ServerCoreWaitP99Ms { get; init; }

    [JsonPropertyName("server_core_wait_max_ms")]
    public required double? ServerCoreWaitMaxMs { get; init; }

    /// <summary>
    /// The most processor time the host's core used between two such calls: what is above it in the wait is the system's.
    /// </summary>
    [JsonPropertyName("server_core_busy_max_ms")]
    public required double? ServerCoreBusyMaxMs { get; init; }

    /// <summary>The regions that the nodes were in, the publisher's included.</summary>
    [JsonPropertyName("regions")]
    public required int Regions { get; init; }

    /// <summary>From the start of the first process until all nodes had joined.</summary>
    [JsonPropertyName("join_s")]
    public double JoinSeconds { get; init; }

    /// <summary>From the start of a host that came again until all its nodes were back; null where it did not.</summary>
    [JsonPropertyName("rejoin_s")]
    public double? RejoinSeconds { get; init; }

    /// <summary>What the host's memory grew by since it started, for each node.</summary>
    [JsonPropertyName("server_kb_per_connection")]
    public required double ServerKbPerConnection { get; init; }

    /// <summary>The memory of the processes of nodes, for each node.</summary>
    [JsonPropertyName("client_kb_per_node")]
    public required double ClientKbPerNode { get; init; }

    [JsonPropertyName("client_cpu_ms_per_release")]
    public required double ClientCpuMsPerRelease { get; init; }

    [JsonPropertyName("publisher_cpu_ms_per_release")]
    public double PublisherCpuMsPerRelease { get; init; }

    /// <summary>Signatures checked, over all processes, publisher included.</summary>
    [JsonPropertyName("verifications")]
    public long Verifications { get; init; }

    /// <summary>Applications of a release at a node that were not seen, or seen with wrong content.</summary>
    [JsonPropertyName("lost")]
    public long Lost { get; init; }
}
