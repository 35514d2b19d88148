using System.Net.Sockets;
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
    /// <param name="onStandby">Called with who leads, whenever it is another.</param>
    /// <param name="logger">The log.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="StoreException">The database cannot be used, or another host has the data directory.</exception>
    /// <exception cref="GmsServerException">The data directory has a store of its own, or the host's name is another's.</exception>
    public static async Task<ClusterSeat> TakeAsync(
        GmsServerOptions options,
        GmsDirectory directory,
        Action<LeaseHolder> onStandby,
        ILogger logger,
        CancellationToken cancellationToken)
    {
        string file = options.StoreFile!;
        OpenedHostStore.RefuseTwo(file, directory);
        var address = PostgresAddress.ReadFile(file);
        // A second host in one directory is told so now, and not when it takes over.
        PostgresHostStore.LockDirectory(directory.Database).Dispose();
        var store = new ClusterTrustStore(address);
        string endpoint = options.ListenAddress.Port == 0
            ? ""
            : new HostEndpoint(options.EffectiveAdvertiseAddress, options.ListenAddress.Port).ToString();
        using var waiting = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task telling = Task.CompletedTask;
        try
        {
            LeaseKeeper lease = await LeaseKeeper.TakeAsync(
                address,
                new LeaseHolder(Guid.NewGuid(), options.EffectiveName, endpoint),
                options.HasLed ? null : options.Store.OpenPatienceMs,
                options.Lease,
                leader =>
                {
                    HostLog.StandingBy(
                        logger, ShownText.Line(leader.Name), ShownText.Line(leader.Endpoint), address.ToString());
                    Prepare(options, directory, store, logger);
                    telling = endpoint.Length > 0 && telling.IsCompleted
                        ? TellAsync(store, options.EffectiveName, endpoint, waiting.Token)
                        : telling;
                    onStandby(leader);
                },
                logger,
                cancellationToken).ConfigureAwait(false);
            HostLog.Leading(logger, address.ToString());
            return new ClusterSeat(lease, store, new SharedTrust(directory, store), options.EffectiveName, address.ToString());
        }
        finally
        {
            await waiting.CancelAsync().ConfigureAwait(false);
            await telling.ConfigureAwait(false);
        }
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
    /// Completes when another host leads: the database says so, or, while this host does not reach the database, one of the others accepts
    /// connections, which standbys do not. Without that, nodes would stay with a host that hears of no release any more.
    /// </summary>
    public async Task WaitUntilLostAsync(CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
        while (!_lease.Lost.IsCompleted && (_lease.IsHeld || !await DoesAnotherListenAsync(cancellationToken).ConfigureAwait(false)))
        {
            await Task.WhenAny(_lease.Lost, timer.WaitForNextTickAsync(cancellationToken).AsTask()).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Gives the lease back. After the store is closed.</summary>
    public void Dispose() => _lease.Dispose();

    private async Task<bool> DoesAnotherListenAsync(CancellationToken cancellationToken)
    {
        foreach (HostEndpoint other in _others)
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(TimeSpan.FromSeconds(1));
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            try
            {
                await socket.ConnectAsync(other.Host, other.Port, limit.Token).ConfigureAwait(false);
                return true;
            }
            catch (Exception e) when (e is SocketException or OperationCanceledException)
            {
                // It stands by, or is gone.
            }
        }

        return false;
    }

    /// <summary>
    /// What a takeover needs of trust, made before it: a missing or wrong cluster key is said now, and not when the leader is gone.
    /// </summary>
    /// <exception cref="GmsServerException">The cluster key is missing or another, or a file cannot be used.</exception>
    private static void Prepare(GmsServerOptions options, GmsDirectory directory, ClusterTrustStore store, ILogger logger)
    {
        try
        {
            if (store.ReadCluster() is { } cluster)
            {
                using HostTrust trust = HostTrust.Open(directory, options, cluster, new SharedTrust(directory, store), logger);
                trust.HostCertificate().Dispose();
                trust.SignerCertificate().Dispose();
            }
        }
        catch (StoreException)
        {
            // The takeover does it.
        }
    }

    /// <summary>A standby says now and then where it is, so that connection strings name it.</summary>
    private static async Task TellAsync(ClusterTrustStore store, string name, string endpoint, CancellationToken cancellationToken)
    {
        try
        {
            using var timer = new PeriodicTimer(TimeSpan.FromMinutes(10));
            do
            {
                try
                {
                    store.ShareEndpoint(name, endpoint);
                }
                catch (StoreException)
                {
                    // It is told again; that the database is away is said by who asks for the lease.
                }
            }
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false));
        }
        catch (OperationCanceledException)
        {
            // This host leads now, or stops.
        }
    }
}
