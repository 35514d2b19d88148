using Ripple.Engine.Memory;

namespace Ripple.Engine.Core;

/// <summary>
/// A fixed number of equally sized buffers, allocated at startup. A buffer is leased to one owner, who returns it once or passes it on. An
/// empty pool means back-pressure, never growth. Belongs to the core thread.
/// </summary>
internal sealed class BufferPool
{
    // An object with three fields, the reference to it, and its entry in the free stack.
    private const int SlotBytes = MemoryBudget.ObjectBytes + 24 + 8 + 4;

    private readonly Slot[] _slots;
    private readonly Stack<int> _free;
    private readonly bool _isChecked;

    /// <param name="bufferBytes">The size of each buffer.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="isChecked">Overwrites returned buffers, so that a late reader fails. For tests; costs one pass over the buffer.</param>
    public BufferPool(int bufferBytes, int count, bool isChecked = false)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(bufferBytes);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        BufferBytes = bufferBytes;
        _isChecked = isChecked;
        _slots = new Slot[count];
        _free = new Stack<int>(count);
        for (int i = count - 1; i >= 0; i--)
        {
            _slots[i] = new Slot(new byte[bufferBytes]);
            _free.Push(i);
        }
    }

    /// <summary>The size of each buffer, in bytes.</summary>
    public int BufferBytes { get; }

    /// <summary>How many buffers there are.</summary>
    public int Count => _slots.Length;

    /// <summary>How many are leased now.</summary>
    public int OutstandingCount => _slots.Length - _free.Count;

    /// <summary>Leases a buffer; false when all are leased.</summary>
    /// <param name="owner">The owner's name, for the error message when a lease is misused.</param>
    /// <param name="lease">The lease; return it with <see cref="BufferLease.Return"/>.</param>
    public bool TryRent(string owner, out BufferLease lease)
    {
        if (!_free.TryPop(out int index))
        {
            lease = default;
            return false;
        }

        Slot slot = _slots[index];
        slot.Owner = owner;
        slot.Version++;
        lease = new BufferLease(this, index, slot.Version);
        return true;
    }

    /// <summary>Throws, naming the owners, unless every buffer was returned. Called at the end of a test.</summary>
    /// <exception cref="InvalidOperationException">A buffer leaked.</exception>
    public void AssertAllReturned()
    {
        if (OutstandingCount == 0)
        {
            return;
        }

        IEnumerable<string> owners = _slots.Where(s => s.Owner is not null).Select(s => s.Owner!).Distinct(StringComparer.Ordinal);
        throw new InvalidOperationException(
            $"{OutstandingCount} of {Count} buffers were not returned; leased by: {string.Join(", ", owners)}.");
    }

    internal static void AddMemory(MemoryBudget budget, string name, int bufferBytes, int count) =>
        budget.Add(MemoryScope.Process, MemoryKind.Fixed, name, count, bufferBytes + MemoryBudget.ArrayBytes + SlotBytes);

    internal byte[] ArrayOf(int index, int version) => Checked(index, version, "used").Bytes;

    internal void Return(int index, int version)
    {
        Slot slot = Checked(index, version, "returned");
        slot.Owner = null;
        slot.Version++;
        if (_isChecked)
        {
            slot.Bytes.AsSpan().Fill(0xDB);
        }

        _free.Push(index);
    }

    private Slot Checked(int index, int version, string verb)
    {
        Slot slot = _slots[index];
        if (slot.Version != version || slot.Owner is null)
        {
            throw new InvalidOperationException(slot.Owner is null
                ? $"A lease was {verb} after it had been returned."
                : $"A lease was {verb} after it had been returned; the buffer now belongs to {slot.Owner}.");
        }

        return slot;
    }

    private sealed class Slot(byte[] bytes)
    {
        public byte[] Bytes { get; } = bytes;

        public int Version { get; set; }

        public string? Owner { get; set; }
    }
}

/// <summary>
/// One owner's right to one buffer of a <see cref="BufferPool"/>. Copies share that right: returning one of them ends all.
/// </summary>
internal readonly struct BufferLease
{
    private readonly BufferPool? _pool;
    private readonly int _index;
    private readonly int _version;

    internal BufferLease(BufferPool pool, int index, int version)
    {
        _pool = pool;
        _index = index;
        _version = version;
    }

    /// <summary>True for the default value, which leases nothing.</summary>
    public bool IsNone => _pool is null;

    /// <summary>The whole buffer.</summary>
    /// <exception cref="InvalidOperationException">The lease is empty or was returned.</exception>
    public byte[] Array =>
        _pool is null ? throw new InvalidOperationException("An empty lease has no buffer.") : _pool.ArrayOf(_index, _version);

    /// <summary>The whole buffer.</summary>
    /// <exception cref="InvalidOperationException">The lease is empty or was returned.</exception>
    public Span<byte> Span => Array;

    /// <summary>Returns the buffer to its pool. Does nothing for an empty lease.</summary>
    /// <exception cref="InvalidOperationException">The lease was already returned.</exception>
    public void Return() => _pool?.Return(_index, _version);
}
