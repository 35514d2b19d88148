using Ripple.Gms.Store;

namespace Ripple.Gms.Hosting;

/// <summary>The store's tokens, read again when they changed. Any thread that may wait for a read of the store.</summary>
internal sealed class TokenList(IHostStore store)
{
    private static readonly TimeSpan ReadTimeout = TimeSpan.FromSeconds(5);
    private readonly Lock _reading = new();
    private volatile Read? _read;

    /// <summary>The token of an id; null when there is none.</summary>
    /// <exception cref="StoreException">The store cannot be read now.</exception>
    public StoredToken? Find(string id) => Newest().Tokens.GetValueOrDefault(id);

    /// <summary>Every token, in no order.</summary>
    /// <exception cref="StoreException">The store cannot be read now.</exception>
    public IEnumerable<StoredToken> All() => Newest().Tokens.Values;

    /// <summary>The version of the tokens that <see cref="Find"/> last answered from.</summary>
    public long Version => _read?.Version ?? -1;

    private Read Newest()
    {
        long version = store.TokensVersion;
        if (_read is { } read && read.Version == version)
        {
            return read;
        }

        lock (_reading)
        {
            version = store.TokensVersion;
            if (_read is { } other && other.Version == version)
            {
                return other;
            }

            _read = new Read(version, Ask().ToDictionary(t => t.Id, StringComparer.Ordinal));
            return _read;
        }
    }

    /// <summary>Waits for the store's own thread and no other: when all threads of the pool wait here, none of them is needed to go on.</summary>
    private IReadOnlyList<StoredToken> Ask()
    {
        var answer = new Answer();
        if (!store.ReadTokens(answer.Set) || !answer.Wait(ReadTimeout, out ReadResult<IReadOnlyList<StoredToken>> result))
        {
            throw new StoreException("The store did not answer in time. Try again.");
        }

        return result.Status == StoreStatus.Done ? result.Value! : throw new StoreException(result.Reason!);
    }

    private sealed class Answer
    {
        private readonly object _gate = new();
        private ReadResult<IReadOnlyList<StoredToken>>? _result;

        public void Set(ReadResult<IReadOnlyList<StoredToken>> result)
        {
            lock (_gate)
            {
                _result = result;
                Monitor.Pulse(_gate);
            }
        }

        public bool Wait(TimeSpan timeout, out ReadResult<IReadOnlyList<StoredToken>> result)
        {
            lock (_gate)
            {
                if (_result is null)
                {
                    Monitor.Wait(_gate, timeout);
                }

                result = _result ?? default;
                return _result is not null;
            }
        }
    }

    private sealed record Read(long Version, Dictionary<string, StoredToken> Tokens);
}
