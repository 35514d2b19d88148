using System.Collections.Immutable;
using Ripple.Client.Scheduling;

namespace Ripple.Client.Events;

/// <summary>
/// One watch of one application: a queue between the producer of items and the enumerating caller. Each derived class bounds the queue in
/// its own way. Thread-safe; only the caller waits.
/// </summary>
internal abstract class Watcher<T>(IClientScheduler scheduler)
{
    private readonly Queue<T> _queue = [];
    private TaskCompletionSource _arrived = new(scheduler.Completions);

    /// <summary>The number of queued items. For invariant checks, on one thread.</summary>
    public int QueuedCount => _queue.Count;

    /// <summary>Protects the queue and the state of derived classes.</summary>
    protected Lock QueueLock { get; } = new();

    /// <summary>Whether the watch has ended and accepts no more items. Read within <see cref="QueueLock"/>.</summary>
    protected bool IsClosed { get; private set; }

    /// <summary>Ends the watch once the queued items have been taken.</summary>
    public void Close()
    {
        lock (QueueLock)
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
            lock (QueueLock)
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

    /// <summary>Adds an item. Within <see cref="QueueLock"/>.</summary>
    protected void Enqueue(T item)
    {
        _queue.Enqueue(item);
        _arrived.TrySetResult();
    }

    /// <summary>Removes and returns all queued items. Within <see cref="QueueLock"/>.</summary>
    protected T[] TakeAll()
    {
        T[] items = [.. _queue];
        _queue.Clear();
        return items;
    }
}

/// <summary>The open watches of one kind, by application. Thread-safe; reading takes no lock.</summary>
/// <typeparam name="T">The kind of watch.</typeparam>
/// <typeparam name="TItem">What it brings.</typeparam>
internal sealed class WatcherTable<T, TItem>
    where T : Watcher<TItem>
{
    private readonly Lock _lock = new();

    // Replaced as a whole, so that it can be read without the lock.
    private volatile ImmutableDictionary<string, T[]> _watchers = ImmutableDictionary.Create<string, T[]>(StringComparer.Ordinal);

    private bool _isClosed;

    /// <summary>All open watches.</summary>
    public IEnumerable<T> All => _watchers.Values.SelectMany(w => w);

    /// <summary>The open watches of an application.</summary>
    public T[] Of(string application) => _watchers.GetValueOrDefault(application, []);

    /// <summary>
    /// Adds a watch, and then calls <paramref name="begin"/>, before the watch can be closed; once the table is closed, the watch is closed
    /// after that.
    /// </summary>
    public void Add(string application, T watcher, Action begin)
    {
        lock (_lock)
        {
            if (!_isClosed)
            {
                _watchers = _watchers.SetItem(application, [.. Of(application), watcher]);
                Interlocked.MemoryBarrier();
            }

            begin();
            if (_isClosed)
            {
                watcher.Close();
            }
        }
    }

    /// <summary>Removes a watch that nobody enumerates any more.</summary>
    public void Remove(string application, T watcher)
    {
        lock (_lock)
        {
            _watchers = _watchers.SetItem(application, [.. Of(application).Where(w => w != watcher)]);
        }
    }

    /// <summary>Ends all watches; those that begin later end at once.</summary>
    public void Close()
    {
        T[] watchers;
        lock (_lock)
        {
            _isClosed = true;
            watchers = [.. All];
        }

        foreach (T watcher in watchers)
        {
            watcher.Close();
        }
    }
}
