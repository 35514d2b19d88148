using Ripple.Engine.Links;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>The join tokens as this host last read them: which applications each is good for, and whether it still is. Core thread.</summary>
internal sealed class AccessTokenTable
{
    private readonly SortedDictionary<string, AccessToken> _tokens = new(StringComparer.Ordinal);

    public AccessTokenTable(IEnumerable<AccessToken> tokens) => Replace(tokens);

    public void Replace(IEnumerable<AccessToken> tokens)
    {
        _tokens.Clear();
        foreach (AccessToken token in tokens)
        {
            _tokens[token.Id] = token;
        }
    }

    /// <summary>True while nodes that enrolled with this token are let in.</summary>
    public bool IsGood(string tokenId, long nowUnixMicros) =>
        _tokens.TryGetValue(tokenId, out AccessToken? token) && token.IsGood(nowUnixMicros);

    /// <summary>True when the peer's token is good for the role in the application. The token decides, not the certificate's word of it: a role can be taken away.</summary>
    public bool Allows(LinkPeer peer, string application, AccessRole role) => _tokens.TryGetValue(peer.TokenId, out AccessToken? token) && token.Allows(application, role);
}
