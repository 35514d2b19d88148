using System.Text.Json.Serialization;

namespace Ripple.Load.Push.Stalls;

/// <summary>What nodes took while others were stopped. Names are part of what readers of the JSON rely on.</summary>
internal sealed record StallResult
{
    [JsonPropertyName("scenario")]
    public string Scenario { get; } = "push";

    [JsonPropertyName("clients")]
    public required int Clients { get; init; }

    [JsonPropertyName("processes")]
    public required int Processes { get; init; }

    [JsonPropertyName("bytes")]
    public required int Bytes { get; init; }

    /// <summary>For how long processes were stopped in every 5 seconds.</summary>
    [JsonPropertyName("stall_ms")]
    public required int StallMs { get; init; }

    /// <summary>How many processes were stopped at a time in the last part.</summary>
    [JsonPropertyName("stalled_tenth")]
    public required int StalledTenth { get; init; }

    /// <summary>Releases a second that all nodes can take; null where the rate was given.</summary>
    [JsonPropertyName("maximum_releases_s")]
    public required double? MaximumS { get; init; }

    /// <summary>Releases published a second.</summary>
    [JsonPropertyName("rate")]
    public required double Rate { get; init; }

    /// <summary>Releases a second that a node took when none was stopped.</summary>
    [JsonPropertyName("healthy_releases_s")]
    public required double HealthyS { get; init; }

    /// <summary>The same of the nodes that were not stopped, while one process was.</summary>
    [JsonPropertyName("healthy_releases_s_one")]
    public required double HealthyOneS { get; init; }

    /// <summary>The same while a tenth of the processes was.</summary>
    [JsonPropertyName("healthy_releases_s_tenth")]
    public required double HealthyTenthS { get; init; }

    /// <summary>The smaller of both, in times of the one without.</summary>
    [JsonPropertyName("stall_ratio")]
    public required double StallRatio { get; init; }

    /// <summary>Members that the host removed as failed meanwhile.</summary>
    [JsonPropertyName("evicted")]
    public required double Evicted { get; init; }

    [JsonPropertyName("catch_ups")]
    public required double CatchUps { get; init; }

    /// <summary>Releases that a node did not get until the end, those that were stopped included.</summary>
    [JsonPropertyName("lost")]
    public required long Lost { get; init; }
}
