using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The values that connections fetch, read once for all of them and kept for a few seconds after the last use. Limited by the host's
/// budget: the least recently used value is dropped first, and read again when needed. Core thread.
/// </summary>
internal sealed class ValueCache
{
    /// <summary>Nodes fetch a new release's value within seconds of each other; for later ones it is read again.</summary>
    private const long UnusedNs = 5_000_000_000;

    private readonly HostContext _context;
    private readonly TransientBudget _memory;
    private readonly Dictionary<Digest160, LinkedListNode<Entry>> _values = [];
    private readonly LinkedList<Entry> _byUse = [];
    private readonly Dictionary<Digest160, List<Action<bool>>> _loading = [];

    public ValueCache(HostContext context, TransientBudget memory)
    {
        _context = context;
        _memory = memory;
        memory.Spare = DropOldest;
    }

    /// <summary>Finds a cached value and marks it as used; null if it is not cached.</summary>
    public CachedValue? Find(Digest160 digest)
    {
        if (!_values.TryGetValue(digest, out LinkedListNode<Entry>? node))
        {
            return null;
        }

        node.Value.UsedNs = _context.Core.NowNs;
        _byUse.Remove(node);
        _byUse.AddLast(node);
        return node.Value.Value;
    }

    /// <summary>
    /// Reads a value; <paramref name="done"/> is called, now or later, with true if it is now cached. Concurrent requests for the same
    /// value share one read.
    /// </summary>
    public void Load(Digest160 digest, Action<bool> done)
    {
        if (_loading.TryGetValue(digest, out List<Action<bool>>? waiting))
        {
            waiting.Add(done);
            return;
        }

        _loading.Add(digest, [done]);
        _memory.Take(TransientBudget.ReadBytesMax, () => Read(digest));
    }

    /// <summary>Drops values unused for some seconds.</summary>
    public void Sweep()
    {
        while (_byUse.First is { } oldest && oldest.Value.UsedNs < _context.Core.NowNs - UnusedNs)
        {
            _memory.Return(DropOldest());
        }
    }

    private void Read(Digest160 digest)
    {
        // The manifest is computed on the store's thread: hashing 16 MiB would block the core.
        bool isTaken = _context.Store.ReadBody(digest, result =>
        {
            CachedValue? value = result.Status == StoreStatus.Done && result.Value is { } bytes ? new CachedValue(bytes) : null;
            _context.Completions.Complete(() => OnRead(digest, value));
        });
        if (!isTaken)
        {
            // The store is busy: callers are told that the value is missing, and ask again.
            OnRead(digest, null);
        }
    }

    private void OnRead(Digest160 digest, CachedValue? value)
    {
        _loading.Remove(digest, out List<Action<bool>>? waiting);
        if (value is not null)
        {
            _values[digest] = _byUse.AddLast(new Entry(digest, value) { UsedNs = _context.Core.NowNs });
        }

        foreach (Action<bool> done in waiting!)
        {
            done(value is not null);
        }

        // Returned only after the callers used the value: callers waiting for memory may cause it to be dropped.
        _memory.Return(TransientBudget.ReadBytesMax - (value?.Bytes ?? 0));
    }

    private long DropOldest()
    {
        if (_byUse.First is not { } oldest)
        {
            return 0;
        }

        _byUse.RemoveFirst();
        _values.Remove(oldest.Value.Digest);
        return oldest.Value.Value.Bytes;
    }

    private sealed class Entry(Digest160 digest, CachedValue value)
    {
        public Digest160 Digest { get; } = digest;

        public CachedValue Value { get; } = value;

        public long UsedNs { get; set; }
    }
}
