using Ripple.Engine.Links;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>The access tokens as last read by the core: the applications each grants, and whether it is still good. Core thread.</summary>
internal sealed class AccessTokenTable
{
    private readonly SortedDictionary<string, AccessToken> _tokens = new(StringComparer.Ordinal);
    private long _version;

    public AccessTokenTable(IEnumerable<AccessToken> tokens, long version) => Replace(tokens, version);

    /// <summary>The token list version that the core uses. Written on the core thread, readable from any.</summary>
    public long Version => Volatile.Read(ref _version);

    public void Replace(IEnumerable<AccessToken> tokens, long version)
    {
        _tokens.Clear();
        foreach (AccessToken token in tokens)
        {
            _tokens[token.Id] = token;
        }

        Volatile.Write(ref _version, version);
    }

    /// <summary>The earliest future expiry among the tokens, in microseconds of Unix time; the largest value when none expires.</summary>
    public long NextExpiryUnixMicros(long nowUnixMicros) =>
        _tokens.Values.Where(
            t => t.ExpiresUnixMicros > nowUnixMicros).Select(t => t.ExpiresUnixMicros!.Value).DefaultIfEmpty(long.MaxValue).Min();

    /// <summary>True if nodes that enrolled with this token are admitted.</summary>
    public bool IsGood(string tokenId, long nowUnixMicros) =>
        _tokens.TryGetValue(tokenId, out AccessToken? token) && token.IsGood(nowUnixMicros);

    /// <summary>
    /// True if the peer's token grants the role in the application. The token decides, not the role in the certificate, because a role can
    /// be withdrawn.
    /// </summary>
    public bool Allows(LinkPeer peer, string application, AccessRole role) =>
        _tokens.TryGetValue(peer.TokenId, out AccessToken? token) && token.Allows(application, role);

    /// <summary>
    /// The newest known version of the caller's token: the request may have read the tokens after the core did, or the core may have read
    /// them again since.
    /// </summary>
    public AccessToken? Of(Caller caller) => caller.TokensVersion > Version ? caller.Token : _tokens.GetValueOrDefault(caller.TokenId);
}
