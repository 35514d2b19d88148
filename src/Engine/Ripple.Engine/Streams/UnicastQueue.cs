using System.Runtime.CompilerServices;
using Ripple.Engine.Core;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Streams;

/// <summary>
/// Frames that wait for the socket, in order, in one ring buffer; consecutive ones for the same destination leave in one packet as far as
/// they fit. Its memory is allocated when it is made: a growing queue would allocate just when its node is busiest.
/// </summary>
internal sealed class UnicastQueue(int countMax, int bytesMax) : IUnicastFrameFeed
{
    private readonly Slot[] _slots = new Slot[countMax];
    private readonly byte[] _bytes = new byte[bytesMax];
    private int _head;
    private int _count;
    private int _end;

    public static void AddMemory(MemoryBudget budget, int queues, int countMax, int bytesMax) =>
        budget.Add(
            MemoryScope.Region,
            MemoryKind.Retained,
            "region: small packets that wait",
            queues,
            ((long)countMax * Unsafe.SizeOf<Slot>()) + bytesMax + (2 * MemoryBudget.ArrayBytes));

    public bool TryAdd(in NodeAddress to, ReadOnlySpan<byte> frames)
    {
        if (_count == _slots.Length || !TryPlace(frames.Length, out int start))
        {
            return false;
        }

        frames.CopyTo(_bytes.AsSpan(start));
        _slots[(_head + _count) % _slots.Length] = new Slot(to, start, frames.Length);
        _end = start + frames.Length;
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
            ref readonly Slot slot = ref _slots[_head];
            _bytes.AsSpan(slot.Start, slot.FramesBytes).CopyTo(frames[bytes..]);
            bytes += slot.FramesBytes;
            _count--;
            // An empty queue restarts at the first byte, so that a quiet node touches one page instead of all in turn.
            _head = _count == 0 ? 0 : (_head + 1) % _slots.Length;
        }

        return bytes;
    }

    /// <summary>
    /// Finds a contiguous place for the bytes: after the newest frames, or before the oldest once the end of the buffer is reached.
    /// </summary>
    private bool TryPlace(int bytes, out int start)
    {
        start = _count == 0 ? 0 : _end;
        int oldest = _count == 0 ? 0 : _slots[_head].Start;
        if (start >= oldest)
        {
            if (bytes <= _bytes.Length - start)
            {
                return true;
            }

            start = 0;
        }

        // Strictly before the oldest: an end equal to it would mean that everything after it is free.
        return start + bytes < oldest;
    }

    private readonly record struct Slot(NodeAddress To, int Start, int FramesBytes);
}
