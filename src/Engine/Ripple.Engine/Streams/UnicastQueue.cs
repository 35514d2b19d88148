using System.Runtime.CompilerServices;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>Frames that wait for the socket, in order; those behind each other for one destination leave in one packet as far as they fit. Buffers are taken as the
/// queue first fills and are kept: most nodes never hold more than a few.</summary>
internal sealed class UnicastQueue : IUnicastFrameFeed
{
    private readonly Slot[] _slots;
    private int _head;
    private int _count;

    public UnicastQueue(int capacity) => _slots = new Slot[capacity];

    public static void AddMemory(MemoryBudget budget, int queues, int capacity) =>
        budget.Add(
            MemoryScope.Region,
            MemoryKind.Kept,
            "region: small packets that wait",
            (long)queues * capacity,
            Unsafe.SizeOf<Slot>() + MemoryBudget.ArrayBytes + WireLimits.FramesBytesMax);

    public bool TryAdd(in NodeAddress to, ReadOnlySpan<byte> frames)
    {
        if (_count == _slots.Length)
        {
            return false;
        }

        ref Slot slot = ref _slots[(_head + _count) % _slots.Length];
        slot.Frames ??= new byte[WireLimits.FramesBytesMax];
        frames.CopyTo(slot.Frames);
        slot.FramesBytes = frames.Length;
        slot.To = to;
        _count++;
        return true;
    }

    public int PullFrames(Span<byte> frames, out NodeAddress to)
    {
        if (_count == 0)
        {
            to = default;
            return 0;
        }

        to = _slots[_head].To;
        int bytes = 0;
        while (_count > 0 && _slots[_head].To == to && _slots[_head].FramesBytes <= frames.Length - bytes)
        {
            ref Slot slot = ref _slots[_head];
            slot.Frames.AsSpan(0, slot.FramesBytes).CopyTo(frames[bytes..]);
            bytes += slot.FramesBytes;
            _count--;
            // An empty queue starts over at the first slot, so that a quiet node uses one buffer and not each in turn.
            _head = _count == 0 ? 0 : (_head + 1) % _slots.Length;
        }

        return bytes;
    }

    private struct Slot
    {
        public byte[]? Frames;
        public int FramesBytes;
        public NodeAddress To;
    }
}
