using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>What a token may do in an application. Each includes those before it.</summary>
[JsonConverter(typeof(WordConverter<Role>))]
public enum Role
{
    /// <summary>To join as a node, and to read.</summary>
    [JsonStringEnumMemberName("node")]
    Node,

    /// <summary>To publish and roll back.</summary>
    [JsonStringEnumMemberName("publisher")]
    Publisher,

    /// <summary>To manage tokens and roles, and to read the audit. Over <c>*</c>: the cluster, and to create applications.</summary>
    [JsonStringEnumMemberName("admin")]
    Admin,
}
