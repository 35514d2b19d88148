using Ripple.Engine.Regions;

namespace Ripple.Gms.Store;

/// <summary>
/// The store's tokens and revoked nodes, read again after a change; concurrent callers share one read. Any thread.
/// </summary>
internal sealed class AccessTokenList(IHostStore store)
{
    private static readonly TimeSpan ReadTimeout = TimeSpan.FromSeconds(5);
    private readonly Lock _lock = new();
    private volatile Read? _read;
    private Task<Read>? _reading;

    /// <summary>The token list version of the last answer; -1 before the first.</summary>
    public long Version => _read?.Version ?? -1;

    /// <summary>
    /// The token with an id; null if there is none. May block for a store read, which only needs the store's own thread: it completes even
    /// if all pool threads wait here.
    /// </summary>
    /// <exception cref="StoreException">The store cannot be read now.</exception>
    public AccessToken? Find(string id) => ReadNewest().Tokens.GetValueOrDefault(id);

    /// <summary>True if the node's certificate is good no more. May block, as above.</summary>
    /// <exception cref="StoreException">The store cannot be read now.</exception>
    public bool IsRevoked(NodeId node) => ReadNewest().Nodes.Contains(node);

    /// <summary>Finds a token without blocking a thread.</summary>
    /// <exception cref="StoreException">The store cannot be read now.</exception>
    public async Task<AccessToken?> FindAsync(string id, CancellationToken cancellationToken) =>
        (await NewestAsync(cancellationToken).ConfigureAwait(false)).Tokens.GetValueOrDefault(id);

    /// <summary>The token with an id, null if there is none, and the token list version it was read at.</summary>
    /// <exception cref="StoreException">The store cannot be read now.</exception>
    public async Task<(AccessToken? Token, long Version)> ReadAsync(string id, CancellationToken cancellationToken)
    {
        Read read = await NewestAsync(cancellationToken).ConfigureAwait(false);
        return (read.Tokens.GetValueOrDefault(id), read.Version);
    }

    /// <summary>All tokens, unordered.</summary>
    /// <exception cref="StoreException">The store cannot be read now.</exception>
    public async Task<IReadOnlyCollection<AccessToken>> AllAsync(CancellationToken cancellationToken) =>
        (await NewestAsync(cancellationToken).ConfigureAwait(false)).Tokens.Values;

    private static StoreException TooLate() => new("The store did not answer in time. Try again.");

    private static void Check(Task<Read> reading)
    {
        // Failures are results here, so that no task exception goes unobserved.
        if (reading.Result.Failure is { } failure)
        {
            throw new StoreException(failure);
        }
    }

    private Read ReadNewest()
    {
        long deadlineMs = Environment.TickCount64 + (long)ReadTimeout.TotalMilliseconds;
        while (Newest() is { } reading)
        {
            long leftMs = deadlineMs - Environment.TickCount64;
            if (leftMs <= 0 || !reading.Wait(TimeSpan.FromMilliseconds(leftMs)))
            {
                throw TooLate();
            }

            Check(reading);
        }

        return _read!;
    }

    private async Task<Read> NewestAsync(CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(ReadTimeout);
        while (Newest() is { } reading)
        {
            try
            {
                await reading.WaitAsync(limit.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                throw TooLate();
            }

            Check(reading);
        }

        return _read!;
    }

    /// <summary>Null if the last read is current; else the read in progress, after which the caller checks again.</summary>
    private Task<Read>? Newest()
    {
        if (_read is { } read && read.Version == store.TokensVersion)
        {
            return null;
        }

        lock (_lock)
        {
            if (_reading is { IsCompleted: false } underWay)
            {
                return underWay;
            }

            if (_read is { } other && other.Version == store.TokensVersion)
            {
                return null;
            }

            return _reading = Begin();
        }
    }

    private Task<Read> Begin()
    {
        // Read before the tokens, which are therefore at least as new.
        long version = store.TokensVersion;
        var done = new TaskCompletionSource<Read>(TaskCreationOptions.RunContinuationsAsynchronously);
        void Fail(string? reason) => done.SetResult(new Read(version, [], [], reason ?? new StoreBusyException().Message));

        void OnTokens(ReadResult<IReadOnlyList<AccessToken>> tokens)
        {
            if (tokens.Status != StoreStatus.Done)
            {
                Fail(tokens.Reason);
            }
            else if (!store.ReadRevokedNodes(nodes => OnNodes(tokens.Value!, nodes)))
            {
                Fail(null);
            }
        }

        void OnNodes(IReadOnlyList<AccessToken> tokens, ReadResult<IReadOnlyList<RevokedNode>> nodes)
        {
            if (nodes.Status != StoreStatus.Done)
            {
                Fail(nodes.Reason);
                return;
            }

            var read = new Read(
                version, tokens.ToDictionary(t => t.Id, StringComparer.Ordinal), [.. nodes.Value!.Select(n => n.Node)], null);
            _read = read;
            done.SetResult(read);
        }

        if (!store.ReadTokens(OnTokens))
        {
            Fail(null);
        }

        return done.Task;
    }

    private sealed record Read(long Version, Dictionary<string, AccessToken> Tokens, HashSet<NodeId> Nodes, string? Failure);
}
