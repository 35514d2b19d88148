using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>The kind of change to a key.</summary>
[JsonConverter(typeof(WordConverter<KeyChangeKind>))]
public enum KeyChangeKind
{
    /// <summary>The key did not exist before.</summary>
    [JsonStringEnumMemberName("added")]
    Added,

    /// <summary>The key gets a different value.</summary>
    [JsonStringEnumMemberName("changed")]
    Changed,

    /// <summary>The key no longer exists.</summary>
    [JsonStringEnumMemberName("removed")]
    Removed,

    /// <summary>The key is set; whether it existed before is not stated (in a single release).</summary>
    [JsonStringEnumMemberName("set")]
    Set,
}
