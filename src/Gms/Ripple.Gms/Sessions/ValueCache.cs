using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The values that connections fetch, read once for all of them, and kept for a moment after the last use. Holds no more than the host's
/// budget leaves: what was used least lately goes first, and is read again when somebody comes back for it. Core thread.
/// </summary>
internal sealed class ValueCache
{
    /// <summary>Nodes of one release fetch a value within seconds of each other; who comes later has it read again.</summary>
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

    /// <summary>The value, if it is here.</summary>
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
    /// Reads a value; <paramref name="done"/> is told, now or later, whether it is here. The same value is read once for all who ask
    /// meanwhile.
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

    /// <summary>Drops what was not used for some seconds.</summary>
    public void Sweep()
    {
        while (_byUse.First is { } oldest && oldest.Value.UsedNs < _context.Core.NowNs - UnusedNs)
        {
            _memory.Return(DropOldest());
        }
    }

    private void Read(Digest160 digest)
    {
        // Described where the answer comes from: hashing 16 MiB would hold up the core.
        bool isTaken = _context.Store.ReadBody(digest, result =>
        {
            CachedValue? value = result.Status == StoreStatus.Done && result.Value is { } bytes ? new CachedValue(bytes) : null;
            _context.Completions.Complete(() => OnRead(digest, value));
        });
        if (!isTaken)
        {
            // The store is busy: who asked is told that it is missing, and asks again.
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

        // After they took of it what they could: whoever waits for memory may have it dropped.
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
