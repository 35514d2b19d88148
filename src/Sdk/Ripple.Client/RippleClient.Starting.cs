using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Ripple.Client.Diagnostics;
using Ripple.Client.Running;
using Ripple.Client.State;
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
            await Task.Run(() => (_store.LoadAll(), _store.LoadIdentity()), cancellationToken).ConfigureAwait(false);
        Restore(restored);
        if (certificate is not null)
        {
            SetIdentity(certificate);
        }

        if (_store.ConfirmedAt is { } confirmedAt)
        {
            _confirmation.Restore(confirmedAt);
        }

        bool hasSnapshot = restored.TryGetValue(_settings.Application, out ReplicaSnapshot? own) && own.Applied.Keys.Release > 0;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(_options.ConnectTimeout);
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

        try
        {
            await WaitUntilStartedAsync(hasSnapshot, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            EndStart(hasSnapshot, e);
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
        return new NodeDependencies(_connector!, endpoints, data, control, verifier, _core, shared.Nodes, groups);
    }

    private async Task WaitUntilStartedAsync(bool hasSnapshot, CancellationToken cancellationToken)
    {
        while (true)
        {
            ConnectionSignal.Standing now = _gate.Now;
            if (now.State == ConnectionState.Connected && now.IsSynced)
            {
                return;
            }

            // Every host has been tried once: decide on what is known now.
            if (now.Failures >= _settings.Connection.Endpoints.Count)
            {
                if (now.Refusals == now.Failures)
                {
                    throw ConnectionSignal.Refused(now);
                }

                if (hasSnapshot && _options.StartupMode == StartupMode.UseSnapshot)
                {
                    ClientLog.StartedOffline(_logger, now.Error ?? string.Empty);
                    return;
                }
            }

            await _runtime.CoreDispatcher.WaitAsync(Next(now), cancellationToken).ConfigureAwait(false);
        }

        static async Task<bool> Next(ConnectionSignal.Standing standing)
        {
            await standing.Changed.Task.ConfigureAwait(false);
            return true;
        }
    }

    /// <summary>
    /// Ends a start that timed out: it succeeds if a host admitted the client, even without all releases, or if the client may start from a
    /// snapshot.
    /// </summary>
    private void EndStart(bool hasSnapshot, OperationCanceledException e)
    {
        ConnectionSignal.Standing now = _gate.Now;
        if (now.State == ConnectionState.Connected)
        {
            return;
        }

        if (hasSnapshot && _options.StartupMode == StartupMode.UseSnapshot)
        {
            ClientLog.StartedOffline(_logger, now.Error ?? "no host answered in time.");
            return;
        }

        if (now.State == ConnectionState.Refused)
        {
            throw ConnectionSignal.Refused(now);
        }

        string snapshot = hasSnapshot
            ? "There is a snapshot, and StartupMode.FailFast forbids to start from it."
            : "There is no verified snapshot to start from.";
        throw new RippleConnectionException(
            $"No host of {string.Join(", ", _settings.Connection.Endpoints)} let '{_settings.Application}' in "
            + $"within {_options.ConnectTimeout.TotalSeconds} s. {now.Error ?? "None answered."} {snapshot} "
            + "Check that a host runs and can be reached over TCP, or give more time by RippleClientOptions.ConnectTimeout.",
            e);
    }
}
