using Ripple.Engine.Memory;

namespace Ripple.Gms.Store;

/// <summary>The queue of the thread that commits, bounded in count and bytes. Many producers, one consumer.</summary>
internal sealed class StoreQueue(int countMax, long bytesMax) : IDisposable
{
    /// <summary>Approximate memory of a work item besides its batch.</summary>
    private const int WorkBytes = 256;
    private readonly Lock _lock = new();
    // Not a SemaphoreSlim, which spins before it sleeps: the store waits tens of milliseconds between groups.
    private readonly AutoResetEvent _arrived = new(false);
    private List<CommitWork> _waiting = [];
    private List<CommitWork> _spare = [];
    private long _bytes;
    private volatile bool _isClosed;

    /// <summary>
    /// Adds the memory of all queues: commits twice, for waiting work and for the group being processed, short reads, and walks.
    /// </summary>
    public static void AddMemory(MemoryBudget budget, HostStoreOptions options)
    {
        budget.Add(
            MemoryScope.Process, MemoryKind.Transient, "store: work that waits, and is being done", 4L * options.QueueCountMax, WorkBytes);
        budget.Add(MemoryScope.Process, MemoryKind.Transient, "store: batches that wait, and are being done", 2, options.QueueBytesMax);
    }

    /// <summary>Adds work; false if the queue is full or closed. A single item of any size fits an empty queue.</summary>
    public bool TryAdd(CommitWork work)
    {
        lock (_lock)
        {
            if (_isClosed || _waiting.Count >= countMax || (_waiting.Count > 0 && _bytes + work.Bytes > bytesMax))
            {
                return false;
            }

            _waiting.Add(work);
            _bytes += work.Bytes;
            if (_waiting.Count == 1)
            {
                _arrived.Set();
            }

            return true;
        }
    }

    /// <summary>
    /// Waits for work, at most <paramref name="timeoutMs"/>. Null once the queue is closed and empty; an empty list on timeout. Valid until
    /// the next call.
    /// </summary>
    public IReadOnlyList<CommitWork>? Take(int timeoutMs)
    {
        if (!_isClosed)
        {
            _arrived.WaitOne(timeoutMs);
        }

        lock (_lock)
        {
            List<CommitWork> taken = _waiting;
            _spare.Clear();
            _waiting = _spare;
            _spare = taken;
            _bytes = 0;
            return taken.Count == 0 && _isClosed ? null : taken;
        }
    }

    /// <summary>Ends a wait for work early.</summary>
    public void Wake()
    {
        lock (_lock)
        {
            if (!_isClosed)
            {
                _arrived.Set();
            }
        }
    }

    /// <summary>Accepts no more; waiting work is still handed out.</summary>
    public void Close()
    {
        lock (_lock)
        {
            if (!_isClosed)
            {
                _isClosed = true;
                _arrived.Set();
            }
        }
    }

    /// <summary>Called by the consumer, once the queue is closed.</summary>
    public void Dispose() => _arrived.Dispose();
}
