using Ripple.Gms.Store;

namespace Ripple.Gms;

/// <summary>
/// Who shares of what is bounded are counted for: a token, and the application whose tokens are counted together, because who administers
/// an application may make a thousand of them.
/// </summary>
/// <param name="TokenId">The token.</param>
/// <param name="Application">
/// The first application that the token names; empty for a token that names none, or is not known; null for one of all applications, which
/// only administrators of the cluster make: it is counted by itself.
/// </param>
internal readonly record struct ShareOwner(string TokenId, string? Application)
{
    /// <summary>A token that is not known here: all of these are counted together.</summary>
    public static ShareOwner Unknown(string tokenId) => new(tokenId, string.Empty);

    /// <summary>The owner of what is asked for by a token.</summary>
    public static ShareOwner Of(AccessToken token) => new(
        token.Id,
        token.Applications.Contains(AccessTokenGrant.All) ? null : token.Applications.Min(StringComparer.Ordinal) ?? string.Empty);
}
