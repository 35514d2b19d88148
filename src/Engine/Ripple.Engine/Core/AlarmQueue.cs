using Ripple.Engine.Memory;

namespace Ripple.Engine.Core;

/// <summary>
/// The alarms of a core, earliest first. Alarms due at the same time run in the order they were scheduled, so that runs are reproducible. A
/// four-ary heap of fixed capacity: no allocation per alarm. Belongs to the core thread.
/// </summary>
internal sealed class AlarmQueue
{
    private const int Arity = 4;
    private readonly Alarm[] _heap;
    private ulong _order;

    internal AlarmQueue(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        _heap = new Alarm[capacity];
    }

    internal static void AddMemory(MemoryBudget budget, int capacity) =>
        budget.Add<Alarm>(MemoryScope.Process, MemoryKind.Fixed, "core: alarms", capacity);

    /// <summary>How many alarms are scheduled.</summary>
    public int Count { get; private set; }

    /// <summary>The due time of the earliest alarm; <see cref="long.MaxValue"/> when none is scheduled.</summary>
    public long NextDueNs => Count == 0 ? long.MaxValue : _heap[0].DueNs;

    /// <summary>Schedules the alarm, or moves it if it is already scheduled.</summary>
    /// <exception cref="InvalidOperationException">The alarms exceed the core's capacity: the total computed at startup is
    /// wrong.</exception>
    public void Schedule(Alarm alarm, long dueNs)
    {
        alarm.DueNs = dueNs;
        alarm.Order = ++_order;
        if (alarm.HeapIndex < 0)
        {
            if (Count == _heap.Length)
            {
                throw new InvalidOperationException(
                    $"More than {_heap.Length} alarms: CoreOptions.AlarmsMax is less than what was built on this core.");
            }

            alarm.HeapIndex = Count;
            _heap[Count++] = alarm;
            SiftUp(alarm.HeapIndex);
            return;
        }

        SiftUp(alarm.HeapIndex);
        SiftDown(alarm.HeapIndex);
    }

    /// <summary>Schedules the alarm unless it is already due at or before that time.</summary>
    public void ScheduleNoLater(Alarm alarm, long dueNs)
    {
        if (!alarm.IsScheduled || alarm.DueNs > dueNs)
        {
            Schedule(alarm, dueNs);
        }
    }

    /// <summary>Removes the alarm; does nothing when it is not scheduled.</summary>
    public void Cancel(Alarm alarm)
    {
        int index = alarm.HeapIndex;
        if (index < 0)
        {
            return;
        }

        alarm.HeapIndex = -1;
        Alarm last = _heap[--Count];
        _heap[Count] = null!;
        if (index < Count)
        {
            _heap[index] = last;
            last.HeapIndex = index;
            SiftUp(index);
            SiftDown(last.HeapIndex);
        }
    }

    /// <summary>Runs due alarms, at most <paramref name="max"/>; returns how many ran.</summary>
    internal int RunDue(long nowNs, int max)
    {
        int ran = 0;
        while (ran < max && Count > 0 && _heap[0].DueNs <= nowNs)
        {
            Alarm alarm = _heap[0];
            Cancel(alarm);
            alarm.OnDue();
            ran++;
        }

        return ran;
    }

    private static bool Before(Alarm a, Alarm b) => a.DueNs < b.DueNs || (a.DueNs == b.DueNs && a.Order < b.Order);

    private void SiftUp(int index)
    {
        Alarm alarm = _heap[index];
        while (index > 0)
        {
            int parent = (index - 1) / Arity;
            if (!Before(alarm, _heap[parent]))
            {
                break;
            }

            Place(_heap[parent], index);
            index = parent;
        }

        Place(alarm, index);
    }

    private void SiftDown(int index)
    {
        Alarm alarm = _heap[index];
        while (true)
        {
            int first = (index * Arity) + 1;
            if (first >= Count)
            {
                break;
            }

            int best = first;
            int end = Math.Min(first + Arity, Count);
            for (int child = first + 1; child < end; child++)
            {
                if (Before(_heap[child], _heap[best]))
                {
                    best = child;
                }
            }

            if (!Before(_heap[best], alarm))
            {
                break;
            }

            Place(_heap[best], index);
            index = best;
        }

        Place(alarm, index);
    }

    private void Place(Alarm alarm, int index)
    {
        _heap[index] = alarm;
        alarm.HeapIndex = index;
    }
}

/// <summary>
/// A timer owned by one protocol element: created once and scheduled many times, so that scheduling does not allocate. Belongs to the core
/// thread. The callback runs there, after the alarm has left the queue, and may schedule it again.
/// </summary>
internal sealed class Alarm
{
    /// <summary>Creates an unscheduled alarm.</summary>
    public Alarm(Action onDue) => OnDue = onDue;

    /// <summary>The due time, in the loop's nanoseconds; meaningless while not scheduled.</summary>
    public long DueNs { get; internal set; }

    /// <summary>True from scheduling until the callback or cancellation.</summary>
    public bool IsScheduled => HeapIndex >= 0;

    internal Action OnDue { get; }

    internal int HeapIndex { get; set; } = -1;

    internal ulong Order { get; set; }
}
