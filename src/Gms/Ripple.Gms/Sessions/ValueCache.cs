using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The values that connections fetch, read once for all of them and kept for a few seconds after the last use. Limited by the host's
/// budget: the least recently used value is dropped first, and read again when needed; but not before those who asked for it had a turn to
/// send it, or many who want many values would have each other's read in vain, without end. Core thread.
/// </summary>
internal sealed class ValueCache
{
    /// <summary>Nodes fetch a new release's value within seconds of each other; for later ones it is read again.</summary>
    private const long UnusedNs = 5_000_000_000;

    /// <summary>Turns come within milliseconds; whose connection takes nothing for so long does not decide what others may read.</summary>
    private const long HeldNs = 1_000_000_000;

    private readonly HostContext _context;
    private readonly TransientBudget _memory;
    private readonly Dictionary<ValueId, LinkedListNode<Entry>> _values = [];
    private readonly LinkedList<Entry> _byUse = [];
    private readonly Dictionary<ValueId, List<Action<bool>>> _loading = [];

    public ValueCache(HostContext context, TransientBudget memory)
    {
        _context = context;
        _memory = memory;
        memory.Spare = DropOldest;
    }

    /// <summary>Finds a cached value and marks it as used; null if it is not cached.</summary>
    public CachedValue? Find(ValueId id)
    {
        if (!_values.TryGetValue(id, out LinkedListNode<Entry>? node))
        {
            return null;
        }

        node.Value.UsedNs = _context.Core.NowNs;
        _byUse.Remove(node);
        _byUse.AddLast(node);
        return node.Value.Value;
    }

    /// <summary>
    /// Reads a value; <paramref name="done"/> is called, now or later, with true if it is now cached: who is told so gives it back with
    /// <see cref="Release"/> after its next turn. Concurrent requests for the same value share one read.
    /// </summary>
    public void Load(ValueId id, Action<bool> done)
    {
        if (_loading.TryGetValue(id, out List<Action<bool>>? waiting))
        {
            waiting.Add(done);
            return;
        }

        _loading.Add(id, [done]);
        _memory.Take(TransientBudget.ReadBytesMax, () => Read(id));
    }

    /// <summary>One of those for whom the value was read had its turn.</summary>
    public void Release(ValueId id)
    {
        // A value that was held for too long may have been dropped, and read again for others: then one of them has less time.
        if (_values.TryGetValue(id, out LinkedListNode<Entry>? node) && node.Value.HolderCount > 0 && --node.Value.HolderCount == 0)
        {
            _memory.ServeWaiting();
        }
    }

    /// <summary>Drops values unused for some seconds, and lets those read who waited for a value that was held for too long.</summary>
    public void Sweep()
    {
        while (_byUse.First is { } oldest && oldest.Value.UsedNs < _context.Core.NowNs - UnusedNs)
        {
            _memory.Return(Drop(oldest));
        }

        _memory.ServeWaiting();
    }

    private void Read(ValueId id)
    {
        // The manifest is computed on the store's thread: hashing 16 MiB would block the core.
        bool isTaken = _context.Store.ReadBody(id.Topic, id.Digest, result =>
        {
            CachedValue? value = result.Status == StoreStatus.Done && result.Value is { } bytes
                ? CachedValue.TryMake(bytes, id.Digest)
                : null;
            _context.Completions.Complete(() => OnRead(id, value));
        });
        if (!isTaken)
        {
            // The store is busy: callers are told that the value is missing, and ask again.
            OnRead(id, null);
        }
    }

    private void OnRead(ValueId id, CachedValue? value)
    {
        _loading.Remove(id, out List<Action<bool>>? waiting);
        if (value is not null)
        {
            long nowNs = _context.Core.NowNs;
            var entry = new Entry(id, value, nowNs + HeldNs) { HolderCount = waiting!.Count, UsedNs = nowNs };
            _values[id] = _byUse.AddLast(entry);
        }

        foreach (Action<bool> done in waiting!)
        {
            done(value is not null);
        }

        _memory.Return(TransientBudget.ReadBytesMax - (value?.Bytes ?? 0));
    }

    private long DropOldest()
    {
        LinkedListNode<Entry>? oldest = _byUse.First;
        while (oldest is not null && IsHeld(oldest.Value))
        {
            oldest = oldest.Next;
        }

        return oldest is null ? 0 : Drop(oldest);
    }

    private bool IsHeld(Entry entry) => entry.HolderCount > 0 && _context.Core.NowNs < entry.HeldUntilNs;

    private long Drop(LinkedListNode<Entry> node)
    {
        _byUse.Remove(node);
        _values.Remove(node.Value.Id);
        return node.Value.Value.Bytes;
    }

    /// <param name="id">Which value.</param>
    /// <param name="value">The value.</param>
    /// <param name="heldUntilNs">Until when it waits for the turns of those it was read for, however often others use it.</param>
    private sealed class Entry(ValueId id, CachedValue value, long heldUntilNs)
    {
        /// <summary>How many of those it was read for had no turn yet.</summary>
        public int HolderCount { get; set; }

        public long HeldUntilNs { get; } = heldUntilNs;

        public ValueId Id { get; } = id;

        public CachedValue Value { get; } = value;

        public long UsedNs { get; set; }
    }
}

/// <summary>A value in memory. Immutable.</summary>
internal sealed class CachedValue
{
    /// <summary>Values up to this size are sent whole.</summary>
    public const int WholeBytesMax = 64 * 1_024;

    /// <summary>Approximate overhead: the object, array headers, its entries by digest and by use.</summary>
    private const int ObjectBytes = 512;

    /// <summary>Approximate size of a manifest chunk: digest, offset, length and its share of the array.</summary>
    private const int ChunkBytes = 48;

    private CachedValue(ReadOnlyMemory<byte> value, ContentManifest? manifest)
    {
        Value = value;
        Manifest = manifest;
        EncodedManifest = manifest?.Encode();
    }

    /// <summary>
    /// What was read for a digest; null when it is not that value. A bit that flipped on its way from the disk must not be kept and sent to
    /// all. Hashes the whole value: not for the core thread.
    /// </summary>
    public static CachedValue? TryMake(ReadOnlyMemory<byte> value, Digest160 digest)
    {
        if (value.Length <= WholeBytesMax)
        {
            return ContentDigest.Compute(value.Span) == digest ? new CachedValue(value, null) : null;
        }

        ContentManifest manifest = ContentDigest.Describe(value.Span);
        return manifest.Digest == digest ? new CachedValue(value, manifest) : null;
    }

    public ReadOnlyMemory<byte> Value { get; }

    /// <summary>Its chunks; null for a value that is sent whole.</summary>
    public ContentManifest? Manifest { get; }

    public ReadOnlyMemory<byte> EncodedManifest { get; }

    /// <summary>Its approximate memory, including the manifest.</summary>
    public int Bytes => ObjectBytes + Value.Length + EncodedManifest.Length + ((Manifest?.Chunks.Length ?? 0) * ChunkBytes);
}

/// <summary>
/// A value of an application. Equal bytes in two applications are two values: whoever may read one must not learn that the other has it.
/// </summary>
/// <param name="Topic">The application's topic number.</param>
/// <param name="Digest">The value's digest.</param>
internal readonly record struct ValueId(uint Topic, Digest160 Digest);
