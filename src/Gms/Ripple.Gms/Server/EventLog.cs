using Microsoft.Extensions.Logging;
using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>Log messages of the core's events; event ids are the numbers of <see cref="GmsEventKind"/>.</summary>
internal static partial class EventLog
{
    /// <summary>Writes an event. What it says may be a node's words, which a console shows: made safe here.</summary>
    public static void Write(ILogger logger, GmsEvent e)
    {
        e = e with { Subject = ShownText.Line(e.Subject), Detail = ShownText.Line(e.Detail) };
        switch (e.Kind)
        {
            case GmsEventKind.Joined:
                Joined(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Left:
                Left(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Failed:
                Failed(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Expelled:
                Expelled(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.JoinRefused:
                JoinRefused(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Deaf:
                Deaf(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Unicast:
                Unicast(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Unreached:
                Unreached(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Leaf:
                Leaf(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.LeafReturned:
                LeafReturned(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Committed:
                Committed(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.StoreFailed:
                StoreFailed(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Restored:
                Restored(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.HistoryPruned:
                HistoryPruned(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.ApplicationCreated:
                ApplicationCreated(logger, e.Subject, e.Detail);
                break;
            case GmsEventKind.Refused:
            default:
                Refused(logger, e.Subject, e.Detail);
                break;
        }
    }

    [LoggerMessage((int)GmsEventKind.Joined, LogLevel.Information, "{Node} joined: {Detail}")]
    private static partial void Joined(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.Left, LogLevel.Information, "{Node} left: {Detail}")]
    private static partial void Left(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.Failed, LogLevel.Warning, "{Node} failed: {Detail}")]
    private static partial void Failed(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.Expelled, LogLevel.Warning, "{Node} was expelled: {Detail}")]
    private static partial void Expelled(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.JoinRefused, LogLevel.Warning, "{Node} was not let join: {Detail}")]
    private static partial void JoinRefused(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.Refused, LogLevel.Warning, "Refused from {Node}: {Detail}")]
    private static partial void Refused(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.Deaf, LogLevel.Warning, "{Node} does not hear another: {Detail}")]
    private static partial void Deaf(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.Unicast, LogLevel.Warning, "{Node} gets its stream by unicast: {Detail}")]
    private static partial void Unicast(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.Unreached, LogLevel.Warning, "{Node} is not reached: {Detail}")]
    private static partial void Unreached(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.Leaf, LogLevel.Warning, "{Node} leaves the view and stays connected: {Detail}")]
    private static partial void Leaf(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.LeafReturned, LogLevel.Information, "{Node} is in the view again: {Detail}")]
    private static partial void LeafReturned(ILogger logger, string node, string detail);

    [LoggerMessage((int)GmsEventKind.Committed, LogLevel.Information, "{Application}: {Detail}")]
    private static partial void Committed(ILogger logger, string application, string detail);

    [LoggerMessage((int)GmsEventKind.StoreFailed, LogLevel.Error, "{Application}: the store failed: {Detail}")]
    private static partial void StoreFailed(ILogger logger, string application, string detail);

    [LoggerMessage((int)GmsEventKind.Restored, LogLevel.Warning, "{Application}: {Detail}")]
    private static partial void Restored(ILogger logger, string application, string detail);

    [LoggerMessage((int)GmsEventKind.HistoryPruned, LogLevel.Information, "The history of {Application} was shortened: {Detail}")]
    private static partial void HistoryPruned(ILogger logger, string application, string detail);

    [LoggerMessage((int)GmsEventKind.ApplicationCreated, LogLevel.Information, "{Application} was created {Detail}")]
    private static partial void ApplicationCreated(ILogger logger, string application, string detail);
}

/// <summary>Takes events from the core, logs them, and hands expulsions to the audit, on the thread pool.</summary>
internal sealed class EventDrain : IAsyncDisposable
{
    private const int EventsMax = 4_096;
    private readonly ILogger _logger;
    private readonly NodeAudit _audit;
    private readonly SemaphoreSlim _arrived = new(0);
    private readonly Task _worker;
    private long _droppedLogged;
    private volatile bool _isStopping;

    public EventDrain(ILogger logger, NodeAudit audit)
    {
        _logger = logger;
        _audit = audit;
        Outlet = new Outlet<GmsEvent>(EventsMax, () => _arrived.Release());
        Events = new GmsEvents(Outlet);
        _worker = Task.Run(RunAsync);
    }

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add<GmsEvent>(MemoryScope.Process, MemoryKind.Fixed, "events that wait for the log", EventsMax);

    public GmsEvents Events { get; }

    private Outlet<GmsEvent> Outlet { get; }

    /// <summary>Logs the remaining events and ends. Call after the core's last turn.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!_isStopping)
        {
            _isStopping = true;
            _arrived.Release();
            // The semaphore is not disposed: it holds no handle, and an abandoned core may still signal it.
            await _worker.ConfigureAwait(false);
        }
    }

    private async Task RunAsync()
    {
        while (true)
        {
            bool isLast = _isStopping;
            while (Outlet.TryTake(out GmsEvent e))
            {
                EventLog.Write(_logger, e);
                if (e is { Kind: GmsEventKind.Expelled, Application: { } application })
                {
                    _audit.OnExpelled(e.Node, e.Subject, application, e.Detail);
                }
            }

            if (Events.Dropped is var dropped && dropped != _droppedLogged)
            {
                HostLog.EventsDropped(_logger, dropped - _droppedLogged);
                _droppedLogged = dropped;
            }

            if (isLast)
            {
                return;
            }

            await _arrived.WaitAsync().ConfigureAwait(false);
        }
    }
}
