using Ripple.Engine.Core;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Streams;

/// <summary>
/// The repairs a sender owes, in the order of the requests. Bounded; its memory is allocated at the first request. A small table remembers
/// the repairs queued or sent recently: an overwritten entry may cost one repair too many, never one too few.
/// </summary>
internal sealed class RepairQueue(int capacity)
{
    private const int TableSize = 2_048;
    private const long Queued = long.MaxValue;
    private Repair[]? _queue;
    private Recent[] _recent = [];
    private int _head;

    public int Count { get; private set; }

    public static void AddMemory(MemoryBudget budget, int capacity)
    {
        budget.Add<Repair>(MemoryScope.Region, MemoryKind.Retained, "stream: repairs that wait", capacity);
        budget.Add<Recent>(MemoryScope.Region, MemoryKind.Retained, "stream: repairs made lately", TableSize);
    }

    /// <summary>True when the same repair is queued, or was sent after the given time.</summary>
    public bool IsSuppressed(ulong sequence, in NodeAddress to, long afterNs)
    {
        if (_queue is null)
        {
            return false;
        }

        ref Recent recent = ref _recent[IndexOf(sequence, to)];
        return recent.Sequence == sequence && recent.To == to && recent.SentNs > afterNs;
    }

    public bool TryAdd(ulong sequence, in NodeAddress to)
    {
        if (_queue is null)
        {
            _queue = new Repair[capacity];
            _recent = new Recent[TableSize];
        }

        if (Count == capacity)
        {
            return false;
        }

        _queue[(_head + Count) % capacity] = new Repair(sequence, to);
        Count++;
        _recent[IndexOf(sequence, to)] = new Recent(sequence, to, Queued);
        return true;
    }

    public bool TryTake(out ulong sequence, out NodeAddress to)
    {
        if (Count == 0)
        {
            sequence = 0;
            to = default;
            return false;
        }

        (sequence, to) = _queue![_head];
        _head = (_head + 1) % capacity;
        Count--;
        return true;
    }

    /// <summary>A repair was sent.</summary>
    public void OnSent(ulong sequence, in NodeAddress to, long nowNs) =>
        _recent[IndexOf(sequence, to)] = new Recent(sequence, to, nowNs);

    private static int IndexOf(ulong sequence, in NodeAddress to)
    {
        ulong state = (sequence * 0x9E3779B97F4A7C15) ^ to.High ^ to.Low ^ ((ulong)to.Port << 48);
        return (int)(DeterministicRandom.SplitMix(ref state) % TableSize);
    }

    private readonly record struct Repair(ulong Sequence, NodeAddress To);

    private readonly record struct Recent(ulong Sequence, NodeAddress To, long SentNs);
}
