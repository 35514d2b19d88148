using Ripple.Client.Scheduling;

namespace Ripple.Client.Events;

/// <summary>
/// One watch of one application: a queue between whoever brings items and the enumerating caller. What comes is bounded by the kinds of
/// watches, each in its way. Thread-safe; nobody waits but the caller.
/// </summary>
internal abstract class Watcher<T>(IClientScheduler scheduler)
{
    private readonly Queue<T> _queue = [];
    private TaskCompletionSource _arrived = new(scheduler.Completions);

    /// <summary>The items that wait to be taken. For checkers, on one thread.</summary>
    public int QueuedCount => _queue.Count;

    /// <summary>Guards the queue, and what else a kind of watch has.</summary>
    protected Lock Gate { get; } = new();

    /// <summary>Whether the watch has ended: what comes is not taken any more. Read within <see cref="Gate"/>.</summary>
    protected bool IsClosed { get; private set; }

    /// <summary>Ends the watch once the queued items have been taken.</summary>
    public void Close()
    {
        lock (Gate)
        {
            IsClosed = true;
            _arrived.TrySetResult();
        }
    }

    /// <summary>Waits for the next item; false once the watch has ended. One caller at a time.</summary>
    public async ValueTask<(bool IsOpen, T? Item)> NextAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Task arrived;
            lock (Gate)
            {
                if (_queue.TryDequeue(out T? item))
                {
                    return (true, item);
                }

                if (IsClosed)
                {
                    return (false, default);
                }

                if (_arrived.Task.IsCompleted)
                {
                    _arrived = new(scheduler.Completions);
                }

                arrived = _arrived.Task;
            }

            await arrived.WaitAsync(cancellationToken).ConfigureAwait(false);
            await scheduler.ResumeAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Adds an item. Within <see cref="Gate"/>.</summary>
    protected void Enqueue(T item)
    {
        _queue.Enqueue(item);
        _arrived.TrySetResult();
    }

    /// <summary>Takes all that waits. Within <see cref="Gate"/>.</summary>
    protected T[] TakeAll()
    {
        T[] items = [.. _queue];
        _queue.Clear();
        return items;
    }
}
