using System.Collections.Concurrent;
using Ripple.Client.Scheduling;

namespace Ripple.Client.Events;

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
