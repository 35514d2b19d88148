using System.Collections.Concurrent;

namespace Ripple.Client.Running;

/// <summary>
/// Runs the dispatchers of a runtime's clients that have something to do, one after the other in one item of the thread pool: a release that reaches many clients of a
/// process at once wakes one thread and not one a client. Any thread.
/// </summary>
internal sealed class DispatchPump : IThreadPoolWorkItem
{
    private readonly ConcurrentQueue<Dispatcher> _ready = [];
    private int _isScheduled;

    /// <summary>Has the dispatcher run soon. At most once until it ran.</summary>
    public void Add(Dispatcher dispatcher)
    {
        _ready.Enqueue(dispatcher);
        Schedule();
    }

    /// <inheritdoc/>
    void IThreadPoolWorkItem.Execute()
    {
        // Let go first: what is added from here on is either seen below, or schedules again.
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
