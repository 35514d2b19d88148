using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Ripple.Client.Diagnostics;
using Ripple.Client.Running;
using Ripple.Client.State;
using Ripple.Client.Verification;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Client;

/// <content>Startup, from the snapshot to the first connection.</content>
public sealed partial class RippleClient
{
    private async Task StartAsync(CancellationToken cancellationToken)
    {
        (Dictionary<string, ReplicaSnapshot> restored, X509Certificate2? certificate, IReadOnlyList<HostEndpoint> told) =
            await _scheduler.Run(
                () => (_store.LoadAll(), _store.LoadIdentity(), _store.LoadHosts()), cancellationToken).ConfigureAwait(false);
        IReadOnlyList<HostEndpoint> hosts = [.. _settings.Connection.Endpoints.Union(told)];
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
                : await LocalAddresses.FindAsync(hosts, cancellationToken).ConfigureAwait(false));
        _connector = _runtime.Driver.OpenConnector(ConnectorOptions(certificate));
        _dispatcher.Start(() => _runtime.CoreDispatcher.PostAsync(_core.Flush, _stopping.Token));
        try
        {
            await _runtime.CoreDispatcher.InvokeAsync(
                () =>
                {
                    _core.Start(OpenDependencies(local, told), restored);
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

        await new StartWait(_settings, hosts, _options, _connection, _runtime.CoreDispatcher, _logger)
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

    private NodeDependencies OpenDependencies(IPAddress local, IReadOnlyList<HostEndpoint> told)
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
        return new NodeDependencies(_connector!, endpoints, data, control, verifier, _runtime.Driver.Observe(_core), shared.Nodes, groups)
        {
            ToldEndpoints = [.. told.Select(e => e.ToString())],
        };
    }
}

/// <summary>
/// Waits for the outcome of a client's start: admitted and up to date, refused, or started from a snapshot while no host can be reached.
/// </summary>
/// <param name="settings">The client's settings.</param>
/// <param name="hosts">The hosts that are tried: those of the connection string, and those that a host told of.</param>
/// <param name="options">How long to wait, and whether a snapshot is enough.</param>
/// <param name="connection">The connection's state.</param>
/// <param name="core">The core, whose end also ends the wait.</param>
/// <param name="logger">Where to log.</param>
internal sealed class StartWait(
    ClientSettings settings,
    IReadOnlyList<HostEndpoint> hosts,
    RippleClientOptions options,
    ConnectionSignal connection,
    CoreDispatcher core,
    ILogger logger)
{
    /// <summary>Returns when the client has started.</summary>
    /// <param name="hasState">Whether a state is in effect: one that was restored, or accepted since.</param>
    /// <param name="limit">Cancelled when the start takes too long, or when the caller gives it up.</param>
    /// <param name="cancellationToken">Cancelled when the caller gives the start up.</param>
    /// <exception cref="RippleRefusedException">Every host refused the client.</exception>
    /// <exception cref="RippleConnectionException">No host admitted the client in time, and it may not start without one.</exception>
    public async Task RunAsync(Func<bool> hasState, CancellationToken limit, CancellationToken cancellationToken)
    {
        try
        {
            await WaitAsync(hasState, limit).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            End(hasState, e);
        }
    }

    private async Task WaitAsync(Func<bool> hasState, CancellationToken cancellationToken)
    {
        while (true)
        {
            ConnectionSignal.Standing now = connection.Now;
            if (now.State == ConnectionState.Connected && now.IsSynced)
            {
                return;
            }

            // Every host has been tried once: decide on what is known now.
            if (now.Failures >= hosts.Count)
            {
                if (now.Refusals == now.Failures)
                {
                    throw ConnectionSignal.Refused(now);
                }

                if (hasState() && options.StartupMode == StartupMode.UseSnapshot)
                {
                    ClientLog.StartedOffline(logger, now.Error ?? string.Empty);
                    return;
                }
            }

            await core.WaitAsync(Next(now), cancellationToken).ConfigureAwait(false);
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
    private void End(Func<bool> hasState, OperationCanceledException e)
    {
        ConnectionSignal.Standing now = connection.Now;
        if (now.State == ConnectionState.Connected)
        {
            return;
        }

        if (hasState() && options.StartupMode == StartupMode.UseSnapshot)
        {
            ClientLog.StartedOffline(logger, now.Error ?? "no host answered in time.");
            return;
        }

        if (now.State == ConnectionState.Refused)
        {
            throw ConnectionSignal.Refused(now);
        }

        string snapshot = hasState()
            ? "There is a snapshot, and StartupMode.FailFast forbids to start from it."
            : "There is no verified snapshot to start from.";
        throw new RippleConnectionException(
            $"No host of {string.Join(", ", hosts)} let '{settings.Application}' in "
            + $"within {options.ConnectTimeout.TotalSeconds} s. {now.Error ?? "None answered."} {snapshot} "
            + "Check that a host runs and can be reached over TCP, or give more time by RippleClientOptions.ConnectTimeout.",
            e);
    }
}
