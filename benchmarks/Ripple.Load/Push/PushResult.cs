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

    [JsonPropertyName("clients")]
    public required int Clients { get; init; }

    [JsonPropertyName("bytes")]
    public required int Bytes { get; init; }

    [JsonPropertyName("count")]
    public required int Count { get; init; }

    [JsonPropertyName("rate")]
    public required double Rate { get; init; }

    [JsonPropertyName("last_p50_ms")]
    public required double LastP50Ms { get; init; }

    [JsonPropertyName("last_p99_ms")]
    public required double LastP99Ms { get; init; }

    [JsonPropertyName("commit_p50_ms")]
    public required double CommitP50Ms { get; init; }

    [JsonPropertyName("proof_p50_ms")]
    public required double ProofP50Ms { get; init; }

    /// <summary>Of the host: UDP payload and TCP bytes sent, a release; UDP alone where TCP cannot be told.</summary>
    [JsonPropertyName("server_kb_per_release")]
    public required double ServerKbPerRelease { get; init; }

    [JsonPropertyName("server_datagrams_per_release")]
    public required double ServerDatagramsPerRelease { get; init; }

    [JsonPropertyName("server_cpu_ms_per_release")]
    public required double ServerCpuMsPerRelease { get; init; }

    [JsonPropertyName("server_rss_mb")]
    public required double ServerRssMb { get; init; }

    [JsonPropertyName("client_cpu_ms_per_release")]
    public required double ClientCpuMsPerRelease { get; init; }

    [JsonPropertyName("publisher_cpu_ms_per_release")]
    public required double PublisherCpuMsPerRelease { get; init; }

    /// <summary>Signatures checked, over all processes, publisher included.</summary>
    [JsonPropertyName("verifications")]
    public required long Verifications { get; init; }

    /// <summary>Applications of a release at a node that were not seen, or seen with wrong content.</summary>
    [JsonPropertyName("lost")]
    public required long Lost { get; init; }
}
