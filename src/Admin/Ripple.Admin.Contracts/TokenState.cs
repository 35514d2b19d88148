using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>Whether a token is good.</summary>
[JsonConverter(typeof(WordConverter<TokenState>))]
public enum TokenState
{
    /// <summary>It is.</summary>
    [JsonStringEnumMemberName("good")]
    Good,

    /// <summary>Its time is over.</summary>
    [JsonStringEnumMemberName("expired")]
    Expired,

    /// <summary>It was revoked.</summary>
    [JsonStringEnumMemberName("revoked")]
    Revoked,
}
