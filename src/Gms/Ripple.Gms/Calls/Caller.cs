using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>The authenticated caller: a token proved by a certificate of this cluster or by its secret. Immutable.</summary>
/// <param name="TokenId">The token's id.</param>
/// <param name="Actor">The actor recorded with changes.</param>
/// <param name="Token">The token as read for this request; null to use the core's copy.</param>
/// <param name="TokensVersion">The token list version that <paramref name="Token"/> was read at.</param>
internal sealed record Caller(string TokenId, string Actor, AccessToken? Token = null, long TokensVersion = -1);
