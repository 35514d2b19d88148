using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>Who asks: a token that was proved, by a certificate of this cluster or by its secret. Immutable.</summary>
/// <param name="TokenId">The token's id.</param>
/// <param name="Actor">What changes are recorded under.</param>
/// <param name="Token">The token as it was read for this request; null to judge by what the core knows.</param>
/// <param name="TokensVersion">The version of the tokens that <paramref name="Token"/> was read at.</param>
internal sealed record Caller(string TokenId, string Actor, AccessToken? Token = null, long TokensVersion = -1);
