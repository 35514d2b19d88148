using Microsoft.Extensions.Logging;
using Ripple.Client.Diagnostics;
using Ripple.Client.Running;
using Ripple.Client.State;

namespace Ripple.Client;

/// <summary>
/// Waits for the outcome of a client's start: admitted and up to date, refused, or started from a snapshot while no host can be reached.
/// </summary>
/// <param name="settings">The client's settings.</param>
/// <param name="options">How long to wait, and whether a snapshot is enough.</param>
/// <param name="gate">The connection's state.</param>
/// <param name="core">The core, whose end also ends the wait.</param>
/// <param name="logger">Where to log.</param>
internal sealed class StartWait(
    ClientSettings settings, RippleClientOptions options, ConnectionSignal gate, CoreDispatcher core, ILogger logger)
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
            ConnectionSignal.Standing now = gate.Now;
            if (now.State == ConnectionState.Connected && now.IsSynced)
            {
                return;
            }

            // Every host has been tried once: decide on what is known now.
            if (now.Failures >= settings.Connection.Endpoints.Count)
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
        ConnectionSignal.Standing now = gate.Now;
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
            $"No host of {string.Join(", ", settings.Connection.Endpoints)} let '{settings.Application}' in "
            + $"within {options.ConnectTimeout.TotalSeconds} s. {now.Error ?? "None answered."} {snapshot} "
            + "Check that a host runs and can be reached over TCP, or give more time by RippleClientOptions.ConnectTimeout.",
            e);
    }
}
