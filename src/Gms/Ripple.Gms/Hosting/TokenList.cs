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

            Task<IReadOnlyList<StoredToken>> task = store.ReadAsync<IReadOnlyList<StoredToken>>(store.ReadTokens);
            if (!task.Wait(ReadTimeout))
            {
                throw new StoreException("The store did not answer in time. Try again.");
            }

            _read = new Read(version, task.Result.ToDictionary(t => t.Id, StringComparer.Ordinal));
            return _read;
        }
    }

    private sealed record Read(long Version, Dictionary<string, StoredToken> Tokens);
}
