using System.Text.Json.Serialization;

namespace Ripple.Load.Peers;

/// <summary>What the generator says of one cell; its names.</summary>
internal sealed record PeerCell
{
    [JsonPropertyName("last_p50")]
    public required double LastP50Ms { get; init; }

    [JsonPropertyName("last_p99")]
    public required double LastP99Ms { get; init; }

    [JsonPropertyName("srv_cpu_ms_per_upd")]
    public required double ServerCpuMs { get; init; }

    /// <summary>On loopback of both directions together.</summary>
    [JsonPropertyName("srv_tx_per_upd")]
    public required double Bytes { get; init; }

    [JsonPropertyName("deliv_per_s")]
    public required double DeliveriesPerSecond { get; init; }

    [JsonPropertyName("incomplete")]
    public required long Incomplete { get; init; }
}
