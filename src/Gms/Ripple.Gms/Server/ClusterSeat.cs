using Microsoft.Extensions.Logging;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// The place of this host among the hosts of a cluster in a database: the lease by which it leads, the trust they share, and where the
/// others are. Any thread; blocks where it says so.
/// </summary>
internal sealed class ClusterSeat : IDisposable
{
    private readonly ClusterTrustStore _store;
    private readonly string _name;
    private readonly LeaseKeeper _lease;
    private volatile IReadOnlyList<HostEndpoint> _others = [];

    private ClusterSeat(LeaseKeeper lease, ClusterTrustStore store, SharedTrust trust, string name, string databaseName)
    {
        _lease = lease;
        _store = store;
        _name = name;
        Trust = trust;
        DatabaseName = databaseName;
    }

    /// <summary>The lease.</summary>
    public IHostLease Lease => _lease;

    /// <summary>The authority and the signers.</summary>
    public SharedTrust Trust { get; }

    /// <summary>The database, for people.</summary>
    public string DatabaseName { get; }

    /// <summary>Takes the lease; waits as a standby while another host leads.</summary>
    /// <param name="options">The host's options, with a store file.</param>
    /// <param name="directory">Its data directory.</param>
    /// <param name="standby">What this host does meanwhile. It goes on, until it is disposed of.</param>
    /// <param name="logger">The log.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="StoreException">The database cannot be used, or another host has the data directory.</exception>
    /// <exception cref="GmsServerException">The data directory has a store of its own, or the host's name is another's.</exception>
    public static async Task<ClusterSeat> TakeAsync(
        GmsServerOptions options,
        GmsDirectory directory,
        Standby standby,
        ILogger logger,
        CancellationToken cancellationToken)
    {
        string file = options.StoreFile!;
        OpenedHostStore.RefuseTwo(file, directory);
        var address = PostgresAddress.ReadFile(file);
        // A second host in one directory is told so now, and not when it takes over.
        PostgresHostStore.LockDirectory(directory.Database).Dispose();
        var store = new ClusterTrustStore(address);
        LeaseKeeper lease = await LeaseKeeper.TakeAsync(
            address,
            new LeaseHolder(Guid.NewGuid(), options.EffectiveName, standby.Own?.ToString() ?? ""),
            options.HasLed ? null : options.Store.OpenPatienceMs,
            options.Lease,
            holder => standby.OnHolderAsync(holder, address.ToString(), store, cancellationToken),
            logger,
            cancellationToken).ConfigureAwait(false);
        standby.OnTaken();
        HostLog.Leading(logger, address.ToString());
        return new ClusterSeat(lease, store, new SharedTrust(directory, store), options.EffectiveName, address.ToString());
    }

    /// <summary>From now on nodes reach the host at an endpoint.</summary>
    public void SetEndpoint(HostEndpoint endpoint) => _lease.SetEndpoint(endpoint.ToString());

    /// <summary>
    /// Says where this host is, and gives the endpoints of a connection string: its own, and those of the others that were seen in the last
    /// day. Blocks.
    /// </summary>
    /// <exception cref="StoreException">The database cannot be asked.</exception>
    public IReadOnlyList<HostEndpoint> ShareEndpoint(HostEndpoint own)
    {
        List<HostEndpoint> endpoints = [own];
        foreach ((string name, string text) in _store.ShareEndpoint(_name, own.ToString()))
        {
            if (name != _name
                && endpoints.Count < ConnectionString.EndpointsMax
                && HostEndpoint.TryParse(text, out HostEndpoint endpoint, out _)
                && !endpoints.Contains(endpoint))
            {
                endpoints.Add(endpoint);
            }
        }

        _others = [.. endpoints.Skip(1)];
        return endpoints;
    }

    /// <summary>
    /// Completes when another host leads: the database says so, or, while this host does not reach the database, one of the others. Without
    /// that, nodes would stay with a host that hears of no release any more.
    /// </summary>
    /// <param name="saysSo">Whether a host says that another than this one leads; takes a second at most.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task WaitUntilLostAsync(Func<HostEndpoint, CancellationToken, Task<bool>> saysSo, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
        while (!_lease.Lost.IsCompleted && (_lease.IsHeld || !await DoesAnySayAsync(saysSo, cancellationToken).ConfigureAwait(false)))
        {
            await Task.WhenAny(_lease.Lost, timer.WaitForNextTickAsync(cancellationToken).AsTask()).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Gives the lease back. After the store is closed.</summary>
    public void Dispose() => _lease.Dispose();

    private async Task<bool> DoesAnySayAsync(
        Func<HostEndpoint, CancellationToken, Task<bool>> saysSo, CancellationToken cancellationToken)
    {
        foreach (HostEndpoint other in _others)
        {
            if (await saysSo(other, cancellationToken).ConfigureAwait(false))
            {
                return true;
            }
        }

        return false;
    }
}
