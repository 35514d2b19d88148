using System.Net;
using System.Net.Sockets;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Server;

// A host among the hosts of a cluster in a database.
public sealed partial class GmsServer
{
    private ClusterSeat? _seat;
    private volatile Standby? _standby;
    private EndpointShare? _share;

    /// <summary>True once another host leads the cluster in its database: this one stops, and may be started again as a standby.</summary>
    internal bool IsLeaseLost { get; private set; }

    /// <summary>Waits until this host leads. Its health is told meanwhile.</summary>
    private async Task StandByAsync(CancellationToken cancellationToken)
    {
        await StartHealthAsync(cancellationToken).ConfigureAwait(false);
        Standby standby = _standby = new Standby(_options, Directory, _logger);
        _seat = await ClusterSeat.TakeAsync(_options, Directory, standby, _logger, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>The address is free for the leader's endpoint. Whoever asked until now was told to ask later, or another.</summary>
    private async Task EndStandbyAsync()
    {
        if (_standby is { } standby)
        {
            await standby.DisposeAsync().ConfigureAwait(false);
            _standby = null;
        }
    }

    /// <summary>Tells the others where this host is, and ends it when another leads.</summary>
    private void Lead(ClusterSeat seat)
    {
        seat.SetEndpoint(Endpoint);
        _share = new EndpointShare(
            Endpoint, () => seat.ShareEndpoint(Endpoint), UseEndpoints, why => HostLog.SharingFailed(_logger, why));
        _share.Run();
        var probe = new LeaderProbe(_resources!.Trust.Authority.Trust.Fingerprint, Endpoint, () => _watch!.Certificate);
        _ = Task.Run(() => FailWhenLostAsync(seat, probe));
    }

    /// <summary>Listens, and says of an address that cannot be listened on what to do.</summary>
    /// <exception cref="GmsServerException">It cannot.</exception>
    internal static async Task ListenAsync(IPEndPoint address, string option, Func<Task> listen)
    {
        try
        {
            await listen().ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            throw new GmsServerException(
                $"{address} cannot be listened on ({e.Message}). Stop what uses it, or give another address or port ({option}).", e);
        }
    }

    private async Task FailWhenLostAsync(ClusterSeat seat, LeaderProbe probe)
    {
        try
        {
            await seat.WaitUntilLostAsync(probe.SaysThatAnotherLeadsAsync, _stopping.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return;
        }

        IsLeaseLost = true;
        HostLog.LeaseLost(_logger, seat.DatabaseName);
        Fail("Another host leads the cluster: this one could not renew its lease in time. Start it again as a standby.", null);
    }

    /// <summary>What this host tells another that asks who leads.</summary>
    private LinkRefusal AnswerHost() => _seat!.Lease.IsHeld
        ? new LinkRefusal(LinkRefusalCode.Closed, "this host leads", Endpoint)
        : new LinkRefusal(LinkRefusalCode.Busy, "this host is not sure that it leads");

    private async Task StartHealthAsync(CancellationToken cancellationToken)
    {
        if (_options.HealthAddress is { } address)
        {
            await ListenAsync(
                address,
                nameof(GmsServerOptions.HealthAddress),
                async () => _healthEndpoint = await HealthEndpoint.StartAsync(
                    address, () => _health, cancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
        }
    }

    /// <summary>Connection strings and nodes are told where the hosts are.</summary>
    private void UseEndpoints(IReadOnlyList<HostEndpoint> endpoints)
    {
        if (!_stopping.IsCancellationRequested)
        {
            _resources!.WriteConnections(endpoints);
            string[] texts = [.. endpoints.Select(e => e.ToString())];
            _runner!.Complete(() => _host!.TellHosts(texts));
        }
    }
}
