namespace Ripple.Engine.Core;

/// <summary>
/// Received datagrams, classified only as far as their clear header, in one bounded queue a priority class (QSM 3.1, Fig. 12).
/// Belongs to the core thread.
/// </summary>
public sealed class IoQueue
{
    private readonly Ring[] _rings = new Ring[4];
    private readonly BufferPool _pool;

    internal IoQueue(BufferPool pool, int perClass)
    {
        _pool = pool;
        for (int i = 0; i < _rings.Length; i++)
        {
            _rings[i] = new Ring(perClass);
        }
    }

    /// <summary>How many datagrams wait.</summary>
    public int Count { get; private set; }

    internal static void AddMemory(MemoryBudget budget, int perClass) => budget.Add<Entry>(MemoryScope.Process, MemoryKind.Fixed, "core: packets that wait", 4L * perClass);

    /// <summary>How many datagrams wait in one class.</summary>
    public int CountOf(PacketClass packetClass) => _rings[(int)packetClass].Count;

    /// <summary>Leases a buffer to receive into; false when none is free, which means: leave it in the kernel.</summary>
    public bool TryRent(out BufferLease lease) => _pool.TryRent("io queue", out lease);

    /// <summary>True when one more of any class fits.</summary>
    public bool HasRoom
    {
        get
        {
            foreach (Ring ring in _rings)
            {
                if (ring.Count == ring.Entries.Length)
                {
                    return false;
                }
            }

            return true;
        }
    }

    /// <summary>Queues a received datagram; the queue owns the lease from then on. The class is read from the second byte; a datagram too
    /// short to have one is queued as data, and its handler refuses it.</summary>
    /// <exception cref="InvalidOperationException">There was no room: ask <see cref="HasRoom"/> first.</exception>
    public void Enqueue(BufferLease lease, int length, IDatagramHandler handler)
    {
        int packetClass = length > 1 ? lease.Array[1] & 3 : 3;
        _rings[packetClass].Push(new Entry(lease, length, handler));
        Count++;
    }

    /// <summary>Handles waiting datagrams in priority order, at most <paramref name="max"/>; returns how many.</summary>
    internal int Process(int max)
    {
        int done = 0;
        while (done < max && Count > 0)
        {
            Ring ring = _rings[0].Count > 0 ? _rings[0] : _rings[1].Count > 0 ? _rings[1] : _rings[2].Count > 0 ? _rings[2] : _rings[3];
            Entry entry = ring.Pop();
            Count--;
            try
            {
                entry.Handler.OnDatagram(entry.Lease.Array.AsSpan(0, entry.Length));
            }
            finally
            {
                entry.Lease.Return();
            }

            done++;
        }

        return done;
    }

    /// <summary>Drops what waits for a handler that is going away.</summary>
    internal void Forget(IDatagramHandler handler)
    {
        foreach (Ring ring in _rings)
        {
            int count = ring.Count;
            for (int i = 0; i < count; i++)
            {
                Entry entry = ring.Pop();
                if (ReferenceEquals(entry.Handler, handler))
                {
                    entry.Lease.Return();
                    Count--;
                }
                else
                {
                    ring.Push(entry);
                }
            }
        }
    }

    private readonly record struct Entry(BufferLease Lease, int Length, IDatagramHandler Handler);

    private sealed class Ring(int capacity)
    {
        private int _head;

        public Entry[] Entries { get; } = new Entry[capacity];

        public int Count { get; private set; }

        public void Push(Entry entry)
        {
            if (Count == Entries.Length)
            {
                throw new InvalidOperationException("The I/O queue has no room; its source did not ask.");
            }

            Entries[(_head + Count) % Entries.Length] = entry;
            Count++;
        }

        public Entry Pop()
        {
            Entry entry = Entries[_head];
            Entries[_head] = default;
            _head = (_head + 1) % Entries.Length;
            Count--;
            return entry;
        }
    }
}
