using Ripple.Engine.Links;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>
/// The access tokens as the core last read them: which applications each is good for, and whether it still is. Core thread.
/// </summary>
internal sealed class AccessTokenTable
{
    private readonly SortedDictionary<string, AccessToken> _tokens = new(StringComparer.Ordinal);
    private long _version;

    public AccessTokenTable(IEnumerable<AccessToken> tokens, long version) => Replace(tokens, version);

    /// <summary>The version of the tokens that the core judges by. Written on the core thread; read from any.</summary>
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

    /// <summary>When the next token ends that is good now, in microseconds of Unix time; the largest number when none does.</summary>
    public long NextExpiryUnixMicros(long nowUnixMicros) =>
        _tokens.Values.Where(
            t => t.ExpiresUnixMicros > nowUnixMicros).Select(t => t.ExpiresUnixMicros!.Value).DefaultIfEmpty(long.MaxValue).Min();

    /// <summary>True while nodes that enrolled with this token are let in.</summary>
    public bool IsGood(string tokenId, long nowUnixMicros) =>
        _tokens.TryGetValue(tokenId, out AccessToken? token) && token.IsGood(nowUnixMicros);

    /// <summary>
    /// True when the peer's token is good for the role in the application. The token decides, not the certificate's word of it: a role can
    /// be taken away.
    /// </summary>
    public bool Allows(LinkPeer peer, string application, AccessRole role) =>
        _tokens.TryGetValue(peer.TokenId, out AccessToken? token) && token.Allows(application, role);

    /// <summary>
    /// The caller's token by the newest that is known of it: a request may have read the tokens after the core did, and the core may have
    /// read them again since.
    /// </summary>
    public AccessToken? Of(Caller caller) => caller.TokensVersion > Version ? caller.Token : _tokens.GetValueOrDefault(caller.TokenId);
}
