using System.Collections.Concurrent;

namespace Ripple.Client.Events;

/// <summary>
/// Runs the dispatchers that have events, of all clients of a runtime, one after the other in one work item of the thread pool: a release
/// that reaches many clients of a process at once wakes one thread instead of one for each client. Any thread.
/// </summary>
internal sealed class DispatchPump : IThreadPoolWorkItem
{
    private readonly ConcurrentQueue<Dispatcher> _ready = [];
    private int _isScheduled;

    /// <summary>Queues the dispatcher to run. A dispatcher that is queued must not be added again before it ran.</summary>
    public void Add(Dispatcher dispatcher)
    {
        _ready.Enqueue(dispatcher);
        Schedule();
    }

    /// <inheritdoc/>
    void IThreadPoolWorkItem.Execute()
    {
        // Reset first: a dispatcher added after this line is either taken by the loop below, or schedules a new work item.
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
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }
}
