using System.Text.Json.Serialization;

namespace Ripple.Load.Push.Histories;

/// <summary>What came of the versions of a document. Names are part of what readers of the JSON rely on.</summary>
internal sealed record HistoryResult
{
    [JsonPropertyName("scenario")]
    public string Scenario { get; } = "push";

    /// <summary>The file's name.</summary>
    [JsonPropertyName("history")]
    public required string Document { get; init; }

    [JsonPropertyName("multicast")]
    public required bool IsMulticast { get; init; }

    [JsonPropertyName("clients")]
    public required int Clients { get; init; }

    [JsonPropertyName("processes")]
    public required int Processes { get; init; }

    [JsonPropertyName("rate")]
    public required double Rate { get; init; }

    /// <summary>The mean of its versions.</summary>
    [JsonPropertyName("document_bytes")]
    public required double DocumentBytes { get; init; }

    /// <summary>The versions, each a release.</summary>
    [JsonPropertyName("releases")]
    public required int Releases { get; init; }

    /// <summary>UDP payload and TCP bytes that the host sent meanwhile, heartbeats included; UDP alone where TCP cannot be told.</summary>
    [JsonPropertyName("bytes_sent")]
    public required double BytesSent { get; init; }

    /// <summary>Of the bytes of all versions, once for each client.</summary>
    [JsonPropertyName("sent_share")]
    public required double SentShare { get; init; }

    [JsonPropertyName("last_p50_ms")]
    public required double LastP50Ms { get; init; }

    [JsonPropertyName("last_p99_ms")]
    public required double LastP99Ms { get; init; }

    [JsonPropertyName("catch_ups")]
    public required double CatchUps { get; init; }

    /// <summary>Versions that a newer one superseded before they took effect at a node: read from the host, and compared.</summary>
    [JsonPropertyName("superseded")]
    public required long Superseded { get; init; }

    /// <summary>Versions that a node has with other bytes.</summary>
    [JsonPropertyName("mismatches")]
    public required long Mismatches { get; init; }

    /// <summary>Versions that a node was not told of, or could not be compared at.</summary>
    [JsonPropertyName("lost")]
    public required long Lost { get; init; }
}
