using System.Text.Json.Serialization;

namespace Ripple.Load.Cluster;

/// <summary>What a cluster went through, and what came of it.</summary>
internal sealed record ClusterResult
{
    [JsonPropertyName("hosts")]
    public required int Hosts { get; init; }

    [JsonPropertyName("clients")]
    public required int Clients { get; init; }

    /// <summary>How often something was killed or stopped.</summary>
    [JsonPropertyName("kills")]
    public required int Kills { get; init; }

    /// <summary>Publishes that were answered with a release, and are not in the history, or not at every node.</summary>
    [JsonPropertyName("lost")]
    public required long Lost { get; init; }

    /// <summary>Releases in the history beyond those that were answered.</summary>
    [JsonPropertyName("repeated")]
    public required long Repeated { get; init; }

    /// <summary>From the last answer before a kill to the first one after it.</summary>
    [JsonPropertyName("gap_p50_ms")]
    public required double GapP50Ms { get; init; }

    [JsonPropertyName("gap_max_ms")]
    public required double GapMaxMs { get; init; }

    /// <summary>Whole states that hosts sent to nodes that came back.</summary>
    [JsonPropertyName("snapshots")]
    public required long Snapshots { get; init; }

    /// <summary>Publishes that were answered: without and with the release that is expected.</summary>
    [JsonPropertyName("publishes")]
    public required int Publishes { get; init; }

    [JsonPropertyName("expecting")]
    public required int Expecting { get; init; }

    /// <summary>Answers that cannot be.</summary>
    [JsonPropertyName("wrong")]
    public required IReadOnlyList<string> Wrong { get; init; }

    [JsonPropertyName("proofs")]
    public required int Proofs { get; init; }

    [JsonPropertyName("proofs_not_held")]
    public required int ProofsNotHeld { get; init; }

    /// <summary>Releases that watches left out, of all nodes together.</summary>
    [JsonPropertyName("skipped")]
    public required long Skipped { get; init; }

    /// <summary>Values that did not hash to what they say, at all nodes together.</summary>
    [JsonPropertyName("bad")]
    public required long Bad { get; init; }
}
