using Ripple.Engine.Links;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>
/// The access tokens as last read by the core: the applications each grants, and whether it is still good; and the revoked nodes. Core
/// thread.
/// </summary>
internal sealed class AccessTokenTable
{
    private readonly SortedDictionary<string, AccessToken> _tokens = new(StringComparer.Ordinal);
    private HashSet<NodeId> _revoked = [];
    private long _version;

    public AccessTokenTable(IEnumerable<AccessToken> tokens, IEnumerable<RevokedNode> revoked, long version) =>
        Replace(tokens, revoked, version);

    /// <summary>Adds the memory of revoked nodes, which the core and the admission of connections know by a set each.</summary>
    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Process, MemoryKind.Retained, "ids of revoked nodes", 2 * StoreLimits.RevokedNodesMax, 64);

    /// <summary>The token list version that the core uses. Written on the core thread, readable from any.</summary>
    public long Version => Volatile.Read(ref _version);

    public void Replace(IEnumerable<AccessToken> tokens, IEnumerable<RevokedNode> revoked, long version)
    {
        _tokens.Clear();
        foreach (AccessToken token in tokens)
        {
            _tokens[token.Id] = token;
        }

        _revoked = [.. revoked.Select(n => n.Node)];
        Volatile.Write(ref _version, version);
    }

    /// <summary>True if the node's certificate is good no more.</summary>
    public bool IsRevoked(NodeId node) => _revoked.Contains(node);

    /// <summary>The earliest future expiry among the tokens, in microseconds of Unix time; the largest value when none expires.</summary>
    public long NextExpiryUnixMicros(long nowUnixMicros) =>
        _tokens.Values.Where(
            t => t.ExpiresUnixMicros > nowUnixMicros).Select(t => t.ExpiresUnixMicros!.Value).DefaultIfEmpty(long.MaxValue).Min();

    /// <summary>The token with this id; null when there is none.</summary>
    public AccessToken? Find(string tokenId) => _tokens.GetValueOrDefault(tokenId);

    /// <summary>True if nodes that enrolled with this token are admitted.</summary>
    public bool IsGood(string tokenId, long nowUnixMicros) =>
        _tokens.TryGetValue(tokenId, out AccessToken? token) && token.IsGood(nowUnixMicros);

    /// <summary>
    /// True if the peer's token grants the role in the application. The token decides, not the role in the certificate, because a role can
    /// be withdrawn.
    /// </summary>
    public bool Allows(LinkPeer peer, string application, AccessRole role) => Allows(peer.TokenId, application, role);

    /// <summary>True if the token grants the role in the application.</summary>
    public bool Allows(string tokenId, string application, AccessRole role) =>
        _tokens.TryGetValue(tokenId, out AccessToken? token) && token.Allows(application, role);

    /// <summary>
    /// The newest known version of the caller's token: the request may have read the tokens after the core did, or the core may have read
    /// them again since.
    /// </summary>
    public AccessToken? Of(Caller caller) => caller.TokensVersion > Version ? caller.Token : _tokens.GetValueOrDefault(caller.TokenId);

    /// <summary>Who the shares of a token are counted for.</summary>
    public ShareOwner OwnerOf(string tokenId) => Find(tokenId) is { } token ? ShareOwner.Of(token) : ShareOwner.Unknown(tokenId);

    /// <inheritdoc cref="OwnerOf(string)"/>
    public ShareOwner OwnerOf(Caller caller) => Of(caller) is { } token ? ShareOwner.Of(token) : ShareOwner.Unknown(caller.TokenId);
}
