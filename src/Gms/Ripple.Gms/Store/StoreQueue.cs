using Ripple.Engine.Memory;

namespace Ripple.Gms.Store;

/// <summary>What waits for the store's thread: bounded in count and bytes. Many producers, one consumer.</summary>
internal sealed class StoreQueue(int countMax, long bytesMax) : IDisposable
{
    /// <summary>What a work takes besides its batch.</summary>
    private const int WorkBytes = 256;
    private readonly Lock _gate = new();
    // Not a SemaphoreSlim: it spins before it sleeps, for every group of publishes, and the store waits for tens of milliseconds.
    private readonly AutoResetEvent _arrived = new(false);
    private List<StoreWork> _waiting = [];
    private List<StoreWork> _spare = [];
    private long _bytes;
    private volatile bool _isClosed;

    /// <summary>Twice: what waits, and what was taken out together and is being done.</summary>
    public static void AddMemory(MemoryBudget budget, HostStoreOptions options)
    {
        budget.Add(
            MemoryScope.Process, MemoryKind.Transient, "store: work that waits, and is being done", 2L * options.QueueCountMax, WorkBytes);
        budget.Add(MemoryScope.Process, MemoryKind.Transient, "store: batches that wait, and are being done", 2, options.QueueBytesMax);
    }

    /// <summary>False when it is full or closed: nothing was taken. A single work of any size fits an empty queue.</summary>
    public bool TryAdd(StoreWork work)
    {
        lock (_gate)
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
    /// Waits for work, at most <paramref name="timeoutMs"/>. Null when the queue is closed and empty; an empty list when the time is over.
    /// Valid until the next call.
    /// </summary>
    public IReadOnlyList<StoreWork>? Take(int timeoutMs)
    {
        if (!_isClosed)
        {
            _arrived.WaitOne(timeoutMs);
        }

        lock (_gate)
        {
            List<StoreWork> taken = _waiting;
            _spare.Clear();
            _waiting = _spare;
            _spare = taken;
            _bytes = 0;
            return taken.Count == 0 && _isClosed ? null : taken;
        }
    }

    /// <summary>Takes nothing more; what waits is still handed out.</summary>
    public void Close()
    {
        lock (_gate)
        {
            if (!_isClosed)
            {
                _isClosed = true;
                _arrived.Set();
            }
        }
    }

    /// <summary>By the consumer, once the queue is closed.</summary>
    public void Dispose() => _arrived.Dispose();
}
