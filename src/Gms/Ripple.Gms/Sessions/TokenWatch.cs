using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Closes connections whose token is revoked, expired, or no longer grants their applications. All are checked after the tokens changed or
/// one expired; otherwise only connections opened since the last check. Core thread.
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
            string reason = $"its token {connection.Peer.TokenId} is revoked, expired, or no longer good for what it takes";
            connection.Close(reason, RemovalCause.Expelled);
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
            _isReading = false;
            if (result.Status == StoreStatus.Done)
            {
                services.Tokens.Replace(result.Value!, version);
            }
        }));
    }

    /// <summary>True if the connection's token is good, and grants every application that it receives releases of.</summary>
    private bool IsEntitled(NodeConnection connection, long nowMicros) =>
        services.Tokens.IsGood(connection.Peer.TokenId, nowMicros)
        && (connection.State is not ConnectionState.Entering entering
            || entering.Identity.Interest.All(application => services.Tokens.Allows(connection.Peer, application, AccessRole.Node)));
}
