using System.Numerics;

namespace Ripple.Engine.Core;

/// <summary>
/// The queue out of the core: bounded, with one producer (the core thread) and one consumer (a thread of its owner's choice). The core
/// never waits for a consumer: when the queue is full, <see cref="TryPost"/> returns false and the core decides what that means for the
/// node.
/// </summary>
/// <typeparam name="T">The type of the items; immutable, or owned by the consumer once posted.</typeparam>
internal sealed class Outlet<T>
{
    private readonly T[] _items;
    private readonly int _mask;
    private readonly Action? _onItem;
    private long _head;
    private long _tail;

    /// <param name="capacity">The most waiting items; rounded up to a power of two.</param>
    /// <param name="onItem">Called on the core thread when an item is added to an empty queue; must only wake the consumer.</param>
    public Outlet(int capacity, Action? onItem = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        int size = (int)BitOperations.RoundUpToPowerOf2((uint)capacity);
        _items = new T[size];
        _mask = size - 1;
        _onItem = onItem;
    }

    /// <summary>The most waiting items.</summary>
    public int Capacity => _items.Length;

    /// <summary>The number of waiting items; exact for either side at the moment of its call.</summary>
    public int Count => (int)(Volatile.Read(ref _tail) - Volatile.Read(ref _head));

    /// <summary>Adds an item. Core thread only. False when full; nothing is queued then.</summary>
    public bool TryPost(T item)
    {
        long tail = _tail;
        long head = Volatile.Read(ref _head);
        if (tail - head == _items.Length)
        {
            return false;
        }

        _items[(int)tail & _mask] = item;
        Volatile.Write(ref _tail, tail + 1);
        // A consumer that saw the queue empty before this write may be about to sleep; the fence ensures that one of the two sees the
        // other.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _head) == tail)
        {
            _onItem?.Invoke();
        }

        return true;
    }

    /// <summary>Removes the oldest item. The consumer's thread only.</summary>
    public bool TryTake(out T item)
    {
        long head = _head;
        if (head == Volatile.Read(ref _tail))
        {
            item = default!;
            return false;
        }

        ref T cell = ref _items[(int)head & _mask];
        item = cell;
        cell = default!;
        Volatile.Write(ref _head, head + 1);
        Interlocked.MemoryBarrier();
        return true;
    }
}
