using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;
using Ripple.Trust;

namespace Ripple.Gms.Server;

// A host among the hosts of a cluster in a database.
public sealed partial class GmsServer
{
    private ClusterSeat? _seat;
    private volatile LeaseHolder? _leader;
    private EndpointShare? _share;

    /// <summary>True once another host leads the cluster in its database: this one stops, and may be started again as a standby.</summary>
    internal bool IsLeaseLost { get; private set; }

    /// <summary>Waits until this host leads. Its health is told meanwhile.</summary>
    private async Task StandByAsync(CancellationToken cancellationToken)
    {
        await StartHealthAsync(cancellationToken).ConfigureAwait(false);
        _seat = await ClusterSeat.TakeAsync(
            _options, Directory, leader => _leader = leader, _logger, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Tells the others where this host is, and ends it when another leads.</summary>
    private void Lead(ClusterSeat seat)
    {
        seat.SetEndpoint(Endpoint);
        _share = new EndpointShare(
            Endpoint, () => seat.ShareEndpoint(Endpoint), UseEndpoints, why => HostLog.SharingFailed(_logger, why));
        _share.Run();
        _ = Task.Run(() => FailWhenLostAsync(seat));
    }

    private async Task FailWhenLostAsync(ClusterSeat seat)
    {
        try
        {
            await seat.WaitUntilLostAsync(_stopping.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return;
        }

        IsLeaseLost = true;
        HostLog.LeaseLost(_logger, seat.DatabaseName);
        Fail("Another host leads the cluster: this one could not renew its lease in time. Start it again as a standby.", null);
    }

    private async Task StartHealthAsync(CancellationToken cancellationToken)
    {
        if (_options.HealthAddress is { } address)
        {
            _healthEndpoint = await ListenAsync(
                address,
                nameof(GmsServerOptions.HealthAddress),
                () => HealthEndpoint.StartAsync(address, () => _health, cancellationToken)).ConfigureAwait(false);
        }
    }

    private void UseEndpoints(IReadOnlyList<HostEndpoint> endpoints)
    {
        if (!_stopping.IsCancellationRequested)
        {
            _resources!.WriteConnections(endpoints);
        }
    }
}
