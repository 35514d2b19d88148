using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Stack;

/// <summary>
/// Datagrams that wait for their due time, in a fixed number of slots; those due at the same time leave in arrival order.
/// </summary>
internal sealed class HoldQueue(int capacity)
{
    private readonly PriorityQueue<int, (long DueNs, ulong Order)> _byDue = new(capacity);
    private readonly Slot[] _slots = new Slot[capacity];
    private readonly Stack<int> _free = new(Enumerable.Range(0, capacity).Reverse());
    private ulong _order;

    public int FreeCount => _free.Count;

    public long NextDueNs => _byDue.TryPeek(out _, out (long DueNs, ulong Order) first) ? first.DueNs : long.MaxValue;

    /// <summary>Holds a copy; requires a free slot.</summary>
    public void Add(in NodeAddress to, ReadOnlySpan<byte> datagram, long dueNs)
    {
        int index = _free.Pop();
        ref Slot slot = ref _slots[index];
        slot.Bytes ??= new byte[WireLimits.DatagramBytesMax];
        datagram.CopyTo(slot.Bytes);
        slot.Length = datagram.Length;
        slot.To = to;
        _byDue.Enqueue(index, (dueNs, ++_order));
    }

    /// <summary>Moves the first due datagram into the buffer; false when none is due.</summary>
    public bool TryTake(long nowNs, Span<byte> buffer, out NodeAddress to, out int length)
    {
        if (NextDueNs > nowNs)
        {
            to = default;
            length = 0;
            return false;
        }

        int index = _byDue.Dequeue();
        _free.Push(index);
        Slot slot = _slots[index];
        slot.Bytes.AsSpan(0, slot.Length).CopyTo(buffer);
        to = slot.To;
        length = slot.Length;
        return true;
    }

    private struct Slot
    {
        public byte[]? Bytes;
        public int Length;
        public NodeAddress To;
    }
}
