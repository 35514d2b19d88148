using Ripple.Engine.Regions;
using Ripple.Gms.Regions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Closes connections whose node is revoked, or whose token is revoked, expired, or no longer grants their applications, and has the keys
/// changed that members held who are gone. All are checked after tokens or revoked nodes changed or a token expired; otherwise only
/// connections opened since the last check. Core thread.
/// </summary>
internal sealed class TokenWatch(SessionServices services)
{
    private readonly List<NodeConnection> _unjudged = [];
    private bool _isReading;
    private long _judgedVersion = -1;
    private long _nextExpiryUnixMicros = long.MinValue;

    /// <summary>
    /// Queues a new connection for a check: its admission may have used a version of the tokens that the core has not read yet.
    /// </summary>
    public void OnConnected(NodeConnection connection) => _unjudged.Add(connection);

    public void OnClosed(NodeConnection connection) => _unjudged.Remove(connection);

    /// <summary>Reads the tokens again after a change, and checks the connections that need it.</summary>
    public void Check(IReadOnlyList<NodeConnection> all)
    {
        ReadIfChanged();
        long nowMicros = services.Context.Clock.UnixMicros;
        long version = services.Tokens.Version;
        bool mustJudgeAll = version != _judgedVersion || nowMicros >= _nextExpiryUnixMicros;
        NodeConnection[] judged = [.. (mustJudgeAll ? all : _unjudged).Where(c => !IsEntitled(c, nowMicros))];
        _unjudged.Clear();
        if (mustJudgeAll)
        {
            _judgedVersion = version;
            _nextExpiryUnixMicros = services.Tokens.NextExpiryUnixMicros(nowMicros);
        }

        foreach (NodeConnection connection in judged)
        {
            string reason = services.Tokens.IsRevoked(connection.Node)
                ? "the node was revoked"
                : $"its token {connection.Peer.TokenId} is revoked, expired, or no longer good for what it takes";
            connection.Close(reason, RemovalCause.Expelled);
        }

        if (mustJudgeAll)
        {
            // A wait may be on an application that is no part of the connection's interest.
            foreach (NodeConnection connection in all)
            {
                connection.EndUnentitledWaits();
            }
        }

        // Who is gone still holds the key that its region has now.
        foreach (ServedRegion region in mustJudgeAll ? services.Regions.All.Values : [])
        {
            region.CheckTokens((node, token) => IsEntitled(node, token, region.Identity.Interest, nowMicros));
        }
    }

    private void ReadIfChanged()
    {
        long version = services.Context.Store.TokensVersion;
        if (version == services.Tokens.Version || _isReading)
        {
            return;
        }

        _isReading = services.Context.Store.ReadTokens(services.Context.OnCore<ReadResult<IReadOnlyList<AccessToken>>>(result =>
        {
            _isReading = result.Status == StoreStatus.Done && ReadNodes(result.Value!, version);
        }));
    }

    private bool ReadNodes(IReadOnlyList<AccessToken> tokens, long version) =>
        services.Context.Store.ReadRevokedNodes(services.Context.OnCore<ReadResult<IReadOnlyList<RevokedNode>>>(result =>
        {
            _isReading = false;
            if (result.Status == StoreStatus.Done)
            {
                services.Tokens.Replace(tokens, result.Value!, version);
            }
        }));

    /// <summary>True if the connection's node and token are good, and the token grants all that it receives releases of.</summary>
    private bool IsEntitled(NodeConnection connection, long nowMicros) => IsEntitled(
        connection.Node,
        connection.Peer.TokenId,
        connection.State is ConnectionState.Entering entering ? entering.Identity.Interest : [],
        nowMicros);

    private bool IsEntitled(NodeId node, string tokenId, IEnumerable<string> interest, long nowMicros) =>
        !services.Tokens.IsRevoked(node)
        && services.Tokens.IsGood(tokenId, nowMicros)
        && interest.All(application => services.Tokens.Allows(tokenId, application, AccessRole.Node));
}
