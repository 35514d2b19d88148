using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>The permissions of a token in an application. Each role includes the previous ones.</summary>
[JsonConverter(typeof(WordConverter<Role>))]
public enum Role
{
    /// <summary>May join as a node and read.</summary>
    [JsonStringEnumMemberName("node")]
    Node,

    /// <summary>May publish and roll back.</summary>
    [JsonStringEnumMemberName("publisher")]
    Publisher,

    /// <summary>
    /// May manage tokens and roles and read the audit log. Granted for <c>*</c>, this covers the whole cluster and includes creating
    /// applications.
    /// </summary>
    [JsonStringEnumMemberName("admin")]
    Admin,
}
