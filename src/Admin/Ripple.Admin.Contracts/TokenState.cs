using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>Whether a token is valid.</summary>
[JsonConverter(typeof(WordConverter<TokenState>))]
public enum TokenState
{
    /// <summary>The token is valid.</summary>
    [JsonStringEnumMemberName("good")]
    Good,

    /// <summary>The token has expired.</summary>
    [JsonStringEnumMemberName("expired")]
    Expired,

    /// <summary>The token was revoked.</summary>
    [JsonStringEnumMemberName("revoked")]
    Revoked,
}
