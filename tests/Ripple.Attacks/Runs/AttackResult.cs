using System.Text.Json.Serialization;

namespace Ripple.Attacks.Runs;

/// <summary>How one attack ended. Names are part of what readers of the JSON rely on.</summary>
internal sealed record AttackResult
{
    [JsonPropertyName("attack")]
    public required string Attack { get; init; }

    /// <summary>Whether the product did.</summary>
    [JsonPropertyName("held")]
    public required bool IsHeld { get; init; }

    /// <summary>Why not; empty when it held.</summary>
    [JsonPropertyName("why")]
    public required string Why { get; init; }

    /// <summary>Publish to applied at the last honest member, during the attack; null when none arrived.</summary>
    [JsonPropertyName("p99_ms")]
    public required double? P99Ms { get; init; }

    /// <summary>The same on the same host before it, with a spinning process in the attacker's place.</summary>
    [JsonPropertyName("baseline_p99_ms")]
    public required double? BaselineP99Ms { get; init; }

    /// <summary>Publishes of the honest application that did not arrive everywhere.</summary>
    [JsonPropertyName("lost")]
    public required int Lost { get; init; }

    /// <summary>The most resident memory of the host, above what it was when the attack began.</summary>
    [JsonPropertyName("peak_mb")]
    public required double PeakMb { get; init; }

    /// <summary>What was left of that some time after the attack.</summary>
    [JsonPropertyName("after_mb")]
    public required double AfterMb { get; init; }

    /// <summary>Whether a log named the attacker; null for one that nobody can name.</summary>
    [JsonPropertyName("named")]
    public required bool? IsNamed { get; init; }

    /// <summary>What the attacker found, in words of the attack.</summary>
    [JsonPropertyName("notes")]
    public required IReadOnlyDictionary<string, string> Notes { get; init; }
}
