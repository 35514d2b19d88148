using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;
using Ripple.Trust;

namespace Ripple.Gms.Server;

// A host among the hosts of a cluster in a database.
public sealed partial class GmsServer
{
    private ClusterSeat? _seat;
    private volatile LeaseHolder? _leader;
    private bool _isShared;

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
        ShareEndpoint();
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

    /// <summary>Says where this host is, and writes into its connection strings where all of the cluster are.</summary>
    private void ShareEndpoint()
    {
        IReadOnlyList<HostEndpoint> endpoints = [Endpoint];
        try
        {
            endpoints = _seat!.ShareEndpoint(Endpoint);
        }
        catch (StoreException e)
        {
            HostLog.SharingFailed(_logger, e.Message);
            if (_isShared)
            {
                return;
            }
        }

        _isShared = true;
        _resources!.WriteConnections(endpoints);
    }
}
