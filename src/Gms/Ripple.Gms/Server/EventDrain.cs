using Microsoft.Extensions.Logging;
using Ripple.Engine.Core;
using Ripple.Engine.Memory;

namespace Ripple.Gms.Server;

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
