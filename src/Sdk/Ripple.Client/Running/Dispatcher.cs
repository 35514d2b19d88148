using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Ripple.Client.Watching;

namespace Ripple.Client.Running;

/// <summary>One task a client: takes its events off the core and brings them to watches, handlers and the callback that accepts releases.</summary>
internal sealed class Dispatcher : IAsyncDisposable
{
    private readonly ClientSettings _settings;
    private readonly ReleaseHub _hub;
    private readonly ILogger _logger;
    private readonly Action<ConnectionStateChange> _onConnection;
    private readonly SemaphoreSlim _wake = new(0);
    private readonly CancellationTokenSource _stopping = new();
    private Task _run = Task.CompletedTask;

    /// <param name="settings">The client's settings.</param>
    /// <param name="hub">The watches.</param>
    /// <param name="logger">Where to log.</param>
    /// <param name="onConnection">Raises the event; may throw what user code throws.</param>
    public Dispatcher(ClientSettings settings, ReleaseHub hub, ILogger logger, Action<ConnectionStateChange> onConnection)
    {
        _settings = settings;
        _hub = hub;
        _logger = logger;
        _onConnection = onConnection;
        Outlet = new ClientOutlet(() => _wake.Release());
    }

    /// <summary>Where the core puts events.</summary>
    public ClientOutlet Outlet { get; }

    /// <param name="flush">Asks the core to put in what waits outside.</param>
    public void Start(Func<ValueTask> flush) => _run = RunAsync(flush);

    /// <summary>Ends the task, and the callbacks by their token. Does not wait for user code that ignores it.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _run.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _wake.Dispose();
    }

    private async Task RunAsync(Func<ValueTask> flush)
    {
        // What the core thread wakes must not go on on it.
        await Task.Yield();
        while (!_stopping.IsCancellationRequested)
        {
            while (Outlet.Events.TryTake(out ClientEvent item))
            {
                Dispatch(item);
            }

            if (Outlet.HasWaiting)
            {
                await flush().ConfigureAwait(false);
            }

            await _wake.WaitAsync(_stopping.Token).ConfigureAwait(false);
        }
    }

    private void Dispatch(ClientEvent item)
    {
        switch (item)
        {
            case ClientEvent.Applied applied:
                Applied(applied.Release);
                _hub.Publish(applied.Release);
                break;
            case ClientEvent.Candidate candidate:
                _ = Task.Run(() => DecideAsync(candidate));
                break;
            case ClientEvent.Connection connection:
                Raise(connection.Change);
                break;
        }
    }

    private void Applied(RippleRelease release)
    {
        ClientLog.Applied(_logger, release);
        ClientTelemetry.Applied(release);
        if (_settings.Options.AcceptRelease is null)
        {
            // Nobody was asked, so that this is all there is to tell in its trace.
            ClientTelemetry.StartApply(release)?.Dispose();
        }
    }

    private void Raise(ConnectionStateChange change)
    {
        ClientTelemetry.Connection(_settings.Application, change.State);
        switch (change.State)
        {
            case ConnectionState.Connected:
                ClientLog.Connected(_logger, _settings.Application);
                break;
            case ConnectionState.Refused:
                ClientLog.Refused(_logger, change.Reason);
                break;
            default:
                ClientLog.Disconnected(_logger, change.Reason);
                break;
        }

        try
        {
            _onConnection(change);
        }
        catch (Exception e)
        {
            ClientLog.HandlerFailed(_logger, e);
        }
    }

    private async Task DecideAsync(ClientEvent.Candidate candidate)
    {
        using Activity? activity = ClientTelemetry.StartApply(candidate.Release);
        long begin = Stopwatch.GetTimestamp();
        string? reason = await AskAsync(candidate.Release).ConfigureAwait(false);
        ClientTelemetry.Decided(candidate.Release, reason, Stopwatch.GetElapsedTime(begin), activity);
        if (reason is not null)
        {
            ClientLog.Rejected(_logger, candidate.Release, reason);
        }

        candidate.Decide(reason);
    }

    private async Task<string?> AskAsync(RippleRelease release)
    {
        TimeSpan timeout = _settings.Options.AcceptTimeout;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token);
        limit.CancelAfter(timeout);
        try
        {
            ReleaseDecision decision = await _settings.Options.AcceptRelease!(release, limit.Token).AsTask().WaitAsync(limit.Token).ConfigureAwait(false);
            return decision is null ? "The callback that accepts releases returned null. Return ReleaseDecision.Accept or ReleaseDecision.Reject(reason)." : decision.Reason;
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested)
        {
            return _stopping.IsCancellationRequested
                ? "The client stopped before it decided."
                : $"The callback that accepts releases did not answer within {timeout.TotalSeconds} s.";
        }
        catch (Exception e)
        {
            return string.IsNullOrWhiteSpace(e.Message) ? e.GetType().Name : e.Message;
        }
    }
}
