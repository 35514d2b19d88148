using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>What happens to a key.</summary>
[JsonConverter(typeof(WordConverter<KeyChangeKind>))]
public enum KeyChangeKind
{
    /// <summary>It was not there.</summary>
    [JsonStringEnumMemberName("added")]
    Added,

    /// <summary>It gets another value.</summary>
    [JsonStringEnumMemberName("changed")]
    Changed,

    /// <summary>It is no longer there.</summary>
    [JsonStringEnumMemberName("removed")]
    Removed,

    /// <summary>It is set; whether it was there before is not said (in a release by itself).</summary>
    [JsonStringEnumMemberName("set")]
    Set,
}
