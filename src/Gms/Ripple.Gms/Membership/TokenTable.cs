using Ripple.Engine.Core;
using Ripple.Gms.Store;

namespace Ripple.Gms.Membership;

/// <summary>The join tokens as this host last read them: which applications each is good for, and whether it still is. Core thread.</summary>
internal sealed class TokenTable
{
    private readonly SortedDictionary<string, StoredToken> _tokens = new(StringComparer.Ordinal);

    public TokenTable(IEnumerable<StoredToken> tokens) => Replace(tokens);

    public void Replace(IEnumerable<StoredToken> tokens)
    {
        _tokens.Clear();
        foreach (StoredToken token in tokens)
        {
            _tokens[token.Id] = token;
        }
    }

    /// <summary>True while nodes that enrolled with this token are let in.</summary>
    public bool IsGood(string tokenId, long nowUnixMicros) =>
        _tokens.TryGetValue(tokenId, out StoredToken? token)
        && token.RevokedUnixMicros is null
        && (token.ExpiresUnixMicros is null || token.ExpiresUnixMicros > nowUnixMicros);

    /// <summary>True when the peer's token names the application, or all.</summary>
    public bool Names(LinkPeer peer, string application) =>
        _tokens.TryGetValue(peer.TokenId, out StoredToken? token)
        && (token.Applications.Contains("*") || token.Applications.Contains(application));

    /// <summary>True when the peer may do what the role allows. The token decides, not the certificate's word of it: a token can be replaced by a lesser one.</summary>
    public bool Allows(LinkPeer peer, TokenRole role) => _tokens.TryGetValue(peer.TokenId, out StoredToken? token) && token.Role >= role;
}
