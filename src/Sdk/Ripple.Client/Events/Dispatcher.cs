using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Ripple.Client.Diagnostics;
using Ripple.Client.Scheduling;
using Ripple.Client.State;
using Ripple.Engine.Releases;

namespace Ripple.Client.Events;

/// <summary>
/// Takes a client's events from the core, in order and on one thread at a time, and passes them to watches, to connection-state handlers
/// and to the callback that accepts releases. The runtime's pump calls <see cref="Run()"/>, which never runs user code because that could
/// block all other clients of the pump: releases go to the watches' queues, a candidate starts its own task, and a connection change, whose
/// handlers run one after another, continues in a task of this client.
/// </summary>
internal sealed class Dispatcher : IAsyncDisposable
{
    private const int Idle = 0;
    private const int Busy = 1;

    private readonly ClientSettings _settings;
    private readonly ReleaseHub _hub;
    private readonly ILogger _logger;
    private readonly DispatchPump _pump;
    private readonly IClientScheduler _scheduler;
    private readonly Action<ConnectionStateChange> _onConnection;
    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource _ended;
    private Func<ValueTask>? _flush;
    private int _state = Busy;

    /// <param name="settings">The client's settings.</param>
    /// <param name="hub">The watches.</param>
    /// <param name="logger">Receives the log.</param>
    /// <param name="pump">Calls <see cref="Run()"/> when there are events.</param>
    /// <param name="onConnection">Raises the event; may throw any exception from user code.</param>
    public Dispatcher(
        ClientSettings settings, ReleaseHub hub, ILogger logger, DispatchPump pump, Action<ConnectionStateChange> onConnection)
    {
        _settings = settings;
        _hub = hub;
        _logger = logger;
        _pump = pump;
        _scheduler = pump.Scheduler;
        _ended = new(_scheduler.Completions);
        _onConnection = onConnection;
        Outlet = new ClientOutlet(Wake);
    }

    /// <summary>The outlet that the core posts events to.</summary>
    public ClientOutlet Outlet { get; }

    /// <summary>Starts taking events.</summary>
    /// <param name="flush">Makes the core call <see cref="ClientOutlet.Flush"/>.</param>
    public void Start(Func<ValueTask> flush)
    {
        _flush = flush;
        _pump.Add(this);
    }

    /// <summary>
    /// Stops taking events and cancels callbacks through their token. Does not wait for a callback that ignores its token.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        await _scheduler.CancelAsync(_stopping).ConfigureAwait(false);
        if (_flush is null)
        {
            return;
        }

        Wake();
        await _ended.Task.ConfigureAwait(false);
        await _scheduler.ResumeAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Dispatches events up to the first connection change; dispatching resumes once its handlers have returned. Called only by the pump.
    /// </summary>
    public void Run() => Run(mayFlush: true);

    private void Run(bool mayFlush)
    {
        do
        {
            while (!_stopping.IsCancellationRequested && Outlet.Events.TryTake(out ClientEvent item))
            {
                if (item is ClientEvent.Connection connection)
                {
                    _scheduler.Run(() => Continue(connection.Change));
                    return;
                }

                Dispatch(item);
                mayFlush = true;
            }

            if (mayFlush && Outlet.HasWaiting && !_stopping.IsCancellationRequested)
            {
                _ = _scheduler.Run(FlushAsync);
                return;
            }
        }
        while (!TryRest());
    }

    /// <summary>Runs the connection-state handlers, then dispatches the events that follow.</summary>
    private void Continue(ConnectionStateChange change)
    {
        Raise(change);
        Run();
    }

    /// <summary>
    /// Asks the core for the events held aside. Once is enough: events the core adds to the queue wake this dispatcher again.
    /// </summary>
    private async Task FlushAsync()
    {
        try
        {
            await _flush!().ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or RippleException)
        {
            // The client or its core is stopping: no more events will follow.
        }

        Run(mayFlush: false);
    }

    private void Wake()
    {
        if (Interlocked.Exchange(ref _state, Busy) == Idle)
        {
            _pump.Add(this);
        }
    }

    /// <summary>Whether there is nothing left to do: the next event wakes this dispatcher again.</summary>
    private bool TryRest()
    {
        if (_stopping.IsCancellationRequested)
        {
            // The state stays Busy, so that no event wakes the dispatcher again.
            _ended.TrySetResult();
            return true;
        }

        Interlocked.Exchange(ref _state, Idle);
        bool hasMore = Outlet.Events.Count > 0 || _stopping.IsCancellationRequested;
        return !hasMore || Interlocked.Exchange(ref _state, Busy) == Busy;
    }

    /// <summary>Dispatches an event without running connection handlers or callbacks on this thread.</summary>
    private void Dispatch(ClientEvent item)
    {
        switch (item)
        {
            case ClientEvent.Applied applied:
                _hub.Publish(applied.Release);
                Applied(applied.Release);
                break;
            case ClientEvent.Refused refused:
                Refused(refused);
                break;
            case ClientEvent.Candidate candidate:
                _ = _scheduler.Run(() => DecideAsync(candidate));
                break;
        }
    }

    private void Applied(RippleRelease release)
    {
        try
        {
            ClientLog.Applied(_logger, release);
            ClientTelemetry.Applied(release);
            if (_settings.AcceptRelease is null)
            {
                // No callback decided on it, so the trace marks a single point in time with no duration.
                ClientTelemetry.StartApply(release)?.Dispose();
            }
        }
        catch (Exception)
        {
            // An exception in a logger or trace listener costs only that entry; the other clients of the pump continue.
        }
    }

    private void Refused(ClientEvent.Refused refused)
    {
        IntakeRefusal refusal = refused.Refusal;
        try
        {
            if (refusal.Key is { } key)
            {
                ClientLog.ValueRefused(
                    _logger, key, refused.Application, refusal.Release, refusal.Why, refusal.Digest.ToString(), refused.Omitted);
            }
            else
            {
                ClientLog.MessageRefused(_logger, refused.Application, refusal.Release, refusal.Why, refused.Omitted);
            }
        }
        catch (Exception)
        {
            // As above: an exception in a logger costs only that entry.
        }
    }

    // The message goes on behind it.
    private static string Ended(string? reason) => reason is null or "" || reason.EndsWith('.') ? reason ?? string.Empty : reason + ".";

    private void Raise(ConnectionStateChange change)
    {
        ClientTelemetry.Connection(_settings.Application, change.State);
        switch (change.State)
        {
            case ConnectionState.Connected:
                ClientLog.Connected(_logger, _settings.Application);
                break;
            case ConnectionState.Refused:
                ClientLog.Refused(_logger, Ended(change.Reason));
                break;
            default:
                ClientLog.Disconnected(_logger, Ended(change.Reason));
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
        long begin = _scheduler.Clock.GetTimestamp();
        string? reason = await AskAsync(candidate.Release).ConfigureAwait(false);
        ClientTelemetry.Decided(candidate.Release, reason, _scheduler.Clock.GetElapsedTime(begin), activity);
        if (reason is not null)
        {
            ClientLog.Rejected(_logger, candidate.Release, reason);
        }
        else if (candidate.RejectedNewer > 0)
        {
            ClientLog.AppliedPast(_logger, candidate.Release, candidate.RejectedNewer);
        }

        candidate.Decide(reason);
    }

    private async Task<string?> AskAsync(RippleRelease release)
    {
        TimeSpan timeout = _settings.AcceptTimeout;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token);
        _scheduler.CancelAfter(limit, timeout);
        try
        {
            Task<ReleaseDecision> asked = _settings.AcceptRelease!(release, limit.Token).AsTask();
            ReleaseDecision decision = await asked.WaitAsync(limit.Token).ConfigureAwait(false);
            return decision is null
                ? "The callback that accepts releases returned null. Return ReleaseDecision.Accept or ReleaseDecision.Reject(reason)."
                : decision.Reason;
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

/// <summary>
/// Runs the dispatchers with pending events, of all clients of a runtime, one after another in a single thread-pool work item. A release
/// that reaches many clients of a process at once therefore wakes one thread, not one per client. Thread-safe.
/// </summary>
internal sealed class DispatchPump(IClientScheduler scheduler) : IThreadPoolWorkItem
{
    private readonly ConcurrentQueue<Dispatcher> _ready = [];
    private int _isScheduled;

    /// <summary>Runs the pump, and the work of its dispatchers that may block.</summary>
    public IClientScheduler Scheduler => scheduler;

    /// <summary>Queues the dispatcher to run. Do not add a queued dispatcher again before it has run.</summary>
    public void Add(Dispatcher dispatcher)
    {
        _ready.Enqueue(dispatcher);
        Schedule();
    }

    /// <inheritdoc/>
    void IThreadPoolWorkItem.Execute()
    {
        // Reset first: a dispatcher added after this line is either taken by the loop below or schedules a new work item.
        Interlocked.Exchange(ref _isScheduled, 0);
        while (_ready.TryDequeue(out Dispatcher? dispatcher))
        {
            dispatcher.Run();
        }
    }

    private void Schedule()
    {
        if (Interlocked.Exchange(ref _isScheduled, 1) == 0)
        {
            scheduler.Queue(this);
        }
    }
}
