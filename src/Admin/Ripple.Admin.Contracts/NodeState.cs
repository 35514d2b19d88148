using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>Where a node stands with its host.</summary>
[JsonConverter(typeof(WordConverter<NodeState>))]
public enum NodeState
{
    /// <summary>It is there.</summary>
    [JsonStringEnumMemberName("present")]
    Present,

    /// <summary>Its neighbours do not hear of it; it is not given up.</summary>
    [JsonStringEnumMemberName("silent")]
    Silent,

    /// <summary>It said goodbye, or came back as a new incarnation.</summary>
    [JsonStringEnumMemberName("left")]
    Left,

    /// <summary>It was given up.</summary>
    [JsonStringEnumMemberName("failed")]
    Failed,
}
