using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>A node's state, as known to its host.</summary>
[JsonConverter(typeof(WordConverter<NodeState>))]
public enum NodeState
{
    /// <summary>The node is present.</summary>
    [JsonStringEnumMemberName("present")]
    Present,

    /// <summary>Its neighbors do not hear from it, but it has not been removed.</summary>
    [JsonStringEnumMemberName("silent")]
    Silent,

    /// <summary>It left cleanly, or came back as a new incarnation.</summary>
    [JsonStringEnumMemberName("left")]
    Left,

    /// <summary>It was removed because it did not answer.</summary>
    [JsonStringEnumMemberName("failed")]
    Failed,
}
