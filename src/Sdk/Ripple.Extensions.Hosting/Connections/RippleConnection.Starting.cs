using Ripple.Client;
using Ripple.Engine.Protocol;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Trust;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>Creates the client from the options.</content>
internal sealed partial class RippleConnection
{
    private async Task StartCoreAsync(CancellationToken cancellationToken)
    {
        if (!IsConfigured)
        {
            if (!Options.Optional)
            {
                throw new InvalidOperationException(
                    $"There is no connection string for Ripple '{Name}'. {Advice} Or set Optional, to start without.");
            }

            HostingLog.NotConfigured(_logger, Name, Advice);
            return;
        }

        RippleClientOptions options = ClientOptions();
        RippleClient client;
        try
        {
            client = await RippleClient.ConnectAsync(Options.ConnectionString!, options, cancellationToken).ConfigureAwait(false);
        }
        catch (RippleException e) when (Options.Optional && e.Code != ErrorCode.InvalidRequest)
        {
            HostingLog.StartedWithout(_logger, Name, e.Message);
            client = await RippleClient.ConnectAsync(
                Options.ConnectionString!, options with { StartupMode = StartupMode.Background }, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RippleException e)
        {
            HostingLog.StartFailed(_logger, Name, e.Message);
            throw;
        }

        // Set first, because a callback of the reload may wait for it.
        Volatile.Write(ref _client, client);
        RippleRelease accepted = client.Current();
        if (accepted.Release > 0 || !_isJudged)
        {
            Adopt(accepted);
            return;
        }

        // Code that builds the container may need values, but this process has accepted none yet: until the validators exist, the newest
        // are shown, without being in effect or reported as applied. A release that an earlier process rejected is not shown; the
        // validators may have changed and are asked again.
        RippleRelease received = await client.ReceivedAsync(cancellationToken).ConfigureAwait(false);
        if (client.Rejection?.Release != received.Release)
        {
            Adopt(received, isUnjudged: true);
        }
    }

    private RippleClientOptions ClientOptions()
    {
        var options = new RippleClientOptions
        {
            Application = Options.Application,
            Zone = Options.Zone,
            Name = Options.NodeName,
            Labels = Options.Labels.Count == 0 ? null : new Dictionary<string, string>(Options.Labels, StringComparer.Ordinal),
            StartupMode = Options.StartupMode,
            ConnectTimeout = Options.StartupTimeout,
            SnapshotDirectory = Options.SnapshotPath,
            LoggerFactory = Loggers,
        };
        options = Options.ConfigureClient?.Invoke(options) ?? options;
        _startupMode = options.StartupMode;
        _connectTimeout = options.ConnectTimeout;
        _application = options.Application
            ?? (ConnectionString.TryParse(Options.ConnectionString!, out ConnectionString? parsed, out _) ? parsed!.Application : null);
        // Validation and reload have a limit each; the margin covers what runs between them.
        TimeSpan ownTime = (Options.ValidationTimeout * 2) + TimeSpan.FromSeconds(10);
        _user = UserJudgement.From(Name, options, ownTime, _scheduler, out TimeSpan clientTimeout);
        return options with { AcceptRelease = AcceptAsync, AcceptTimeout = clientTimeout, HoldsDecisions = _isJudged };
    }
}
