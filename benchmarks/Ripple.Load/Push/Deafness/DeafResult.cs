using System.Text.Json.Serialization;

namespace Ripple.Load.Push.Deafness;

/// <summary>
/// What a process that takes no UDP has when, and what the others have meanwhile. Names are part of what readers of the JSON rely on.
/// </summary>
internal sealed record DeafResult
{
    [JsonPropertyName("scenario")]
    public string Scenario { get; } = "push";

    [JsonPropertyName("clients")]
    public required int Clients { get; init; }

    [JsonPropertyName("processes")]
    public required int Processes { get; init; }

    [JsonPropertyName("bytes")]
    public required int Bytes { get; init; }

    /// <summary>Releases published a second.</summary>
    [JsonPropertyName("rate")]
    public required double Rate { get; init; }

    /// <summary>From the last datagram that the process took until the host had made it a leaf; null when that did not happen.</summary>
    [JsonPropertyName("leaf_s")]
    public required double? LeafSeconds { get; init; }

    /// <summary>
    /// How long after the last of the others its nodes had a release, of those that were published while it was a leaf; 0 where they had it
    /// before.
    /// </summary>
    [JsonPropertyName("leaf_behind_p50_ms")]
    public required double LeafBehindP50Ms { get; init; }

    [JsonPropertyName("leaf_behind_p99_ms")]
    public required double LeafBehindP99Ms { get; init; }

    [JsonPropertyName("leaf_behind_max_ms")]
    public required double LeafBehindMaxMs { get; init; }

    /// <summary>Releases a second that a node of the others took before.</summary>
    [JsonPropertyName("healthy_releases_s")]
    public required double HealthyS { get; init; }

    /// <summary>The same while the process was a leaf.</summary>
    [JsonPropertyName("healthy_releases_s_leaf")]
    public required double HealthyLeafS { get; init; }

    /// <summary>From a publish to the last of the others, before.</summary>
    [JsonPropertyName("healthy_last_p50_ms")]
    public required double HealthyLastP50Ms { get; init; }

    [JsonPropertyName("healthy_last_p99_ms")]
    public required double HealthyLastP99Ms { get; init; }

    /// <summary>The same while the process was a leaf.</summary>
    [JsonPropertyName("healthy_last_p50_ms_leaf")]
    public required double HealthyLastP50MsLeaf { get; init; }

    [JsonPropertyName("healthy_last_p99_ms_leaf")]
    public required double HealthyLastP99MsLeaf { get; init; }

    /// <summary>Members that the host removed as failed meanwhile.</summary>
    [JsonPropertyName("evicted")]
    public required double Evicted { get; init; }

    /// <summary>Releases that a node did not get until the end, those of the leaf included.</summary>
    [JsonPropertyName("lost")]
    public required long Lost { get; init; }
}
