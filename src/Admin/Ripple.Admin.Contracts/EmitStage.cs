using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>How far an event has come. Each holds those before it.</summary>
[JsonConverter(typeof(WordConverter<EmitStage>))]
public enum EmitStage
{
    /// <summary>The host has it.</summary>
    [JsonStringEnumMemberName("accepted")]
    Accepted,

    /// <summary>It waits for each subscriber whose ranges have it.</summary>
    [JsonStringEnumMemberName("matched")]
    Matched,

    /// <summary>Each of them took it, is gone, or lost it because it takes events too slowly and will be told.</summary>
    [JsonStringEnumMemberName("delivered")]
    Delivered,
}
