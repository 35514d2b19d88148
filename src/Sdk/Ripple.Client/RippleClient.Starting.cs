using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Ripple.Client.Running;
using Ripple.Client.Verification;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Transports.Links;

namespace Ripple.Client;

/// <content>Startup, from the snapshot to the first connection.</content>
public sealed partial class RippleClient
{
    private async Task StartAsync(CancellationToken cancellationToken)
    {
        (Dictionary<string, ReplicaSnapshot> restored, X509Certificate2? certificate) =
            await _scheduler.Run(() => (_store.LoadAll(), _store.LoadIdentity()), cancellationToken).ConfigureAwait(false);
        Restore(restored);
        if (certificate is not null)
        {
            SetIdentity(certificate);
        }

        if (_store.ConfirmedAt is { } confirmedAt)
        {
            _confirmation.Restore(confirmedAt);
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _scheduler.CancelAfter(limit, _options.ConnectTimeout);
        IPAddress local = _options.BindAddress
            ?? (_options.AdvertisedAddress is not null
                ? IPAddress.Any
                : await LocalAddresses.FindAsync(_settings.Connection.Endpoints, cancellationToken).ConfigureAwait(false));
        _connector = _runtime.Driver.OpenConnector(ConnectorOptions(certificate));
        _dispatcher.Start(() => _runtime.CoreDispatcher.PostAsync(_core.Flush, _stopping.Token));
        try
        {
            await _runtime.CoreDispatcher.InvokeAsync(
                () =>
                {
                    _core.Start(OpenDoors(local), restored);
                    return true;
                },
                cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            throw new RippleException(
                ErrorCode.InvalidRequest,
                $"A datagram port cannot be opened at {local}: {e.Message} "
                + "Set RippleClientOptions.BindAddress to an address of this machine that the hosts can reach, "
                + "and AdvertisedAddress where others reach it at another one.",
                e);
        }

        if (_options.StartupMode == StartupMode.Background)
        {
            return;
        }

        await new StartWait(_settings, _options, _gate, _runtime.CoreDispatcher, _logger)
            .RunAsync(() => _current[Application].Release > 0, limit.Token, cancellationToken).ConfigureAwait(false);
        if (!_settings.HoldsDecisions && WhyNothingIsInEffect() is { } why)
        {
            throw new RippleException(why);
        }
    }

    private LinkConnectorOptions ConnectorOptions(X509Certificate2? certificate) =>
        LinkConnectorOptions.From(_settings.Connection) with
        {
            Application = _settings.Application,
            Name = _settings.Name,
            Certificate = certificate,
            OnCertificate = enrolled =>
            {
                SetIdentity(enrolled);
                _store.SaveIdentity(enrolled);
            },
        };

    private NodeDependencies OpenDoors(IPAddress local)
    {
        IPAddress? advertised = _options.AdvertisedAddress;
        IDatagramPort data = _runtime.Driver.OpenPort(local, advertised, PortLane.Data);
        IDatagramPort control;
        try
        {
            control = _runtime.Driver.OpenPort(local, advertised, PortLane.Control);
        }
        catch
        {
            data.Dispose();
            throw;
        }

        SharedAuthority shared = _authority = _runtime.Join(_verifier);
        var verifier = new PooledSignatureVerifier(shared, () => _connector!.Authority);
        string[] endpoints = [.. _settings.Connection.Endpoints.Select(e => e.ToString())];
        IDatagramGroups? groups = _runtime.Driver.GroupsOn(local);
        return new NodeDependencies(_connector!, endpoints, data, control, verifier, _runtime.Driver.Observe(_core), shared.Nodes, groups);
    }
}
