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
        _tokens.TryGetValue(tokenId, out StoredToken? token) && token.IsGood(nowUnixMicros);

    /// <summary>True when the peer's token is good for the role in the application. The token decides, not the certificate's word of it: a role can be taken away.</summary>
    public bool Allows(LinkPeer peer, string application, TokenRole role) => _tokens.TryGetValue(peer.TokenId, out StoredToken? token) && token.Allows(application, role);
}
