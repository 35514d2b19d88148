using Ripple.Engine.Core;

namespace Ripple.Simulator.Simulation;

/// <summary>
/// Simulated time and its events: a queue ordered by time and then by order of scheduling, so that runs are repeatable. Time stands still
/// while an event runs and then jumps to the next one. Belongs to one thread.
/// </summary>
internal sealed class SimulationScheduler : IClock
{
    private const int Arity = 4;
    private readonly int _eventsMax;
    private readonly Stack<ActionEvent> _freeActions = new();
    private Entry[] _heap = new Entry[1_024];
    private ulong _order;

    /// <param name="eventsMax">Maximum number of queued events. Default one million; exceeding it means that something schedules
    /// endlessly.</param>
    public SimulationScheduler(int eventsMax = 1_000_000)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(eventsMax);
        _eventsMax = eventsMax;
    }

    /// <summary>The simulated time, starting at 0.</summary>
    public long NowNs { get; private set; }

    /// <summary>The number of events that have run.</summary>
    public long RunCount { get; private set; }

    /// <summary>The number of events in the queue.</summary>
    public int PendingCount { get; private set; }

    /// <summary>The time of the next event; <see cref="long.MaxValue"/> if there is none.</summary>
    public long NextDueNs => PendingCount == 0 ? long.MaxValue : _heap[0].DueNs;

    /// <summary>
    /// Called after each action, but not after other events: an action can come from anywhere, and may have queued work for a machine
    /// without waking it.
    /// </summary>
    internal Action? AfterAction { get; set; }

    /// <summary>Schedules an action after a delay. A negative delay counts as 0.</summary>
    public void Schedule(long delayNs, Action action)
    {
        ArgumentNullException.ThrowIfNull(action);
        if (!_freeActions.TryPop(out ActionEvent? actionEvent))
        {
            actionEvent = new ActionEvent(this);
        }

        actionEvent.Action = action;
        ScheduleAt(NowNs + Math.Max(0, delayNs), actionEvent);
    }

    /// <summary>Schedules an event, moving it if it is already scheduled. A time in the past means now.</summary>
    /// <exception cref="InvalidOperationException">The queue is full.</exception>
    public void ScheduleAt(long dueNs, SimulationEvent simulationEvent)
    {
        ArgumentNullException.ThrowIfNull(simulationEvent);
        Cancel(simulationEvent);
        if (PendingCount == _eventsMax)
        {
            throw new InvalidOperationException($"More than {_eventsMax} events wait: something schedules without end.");
        }

        if (PendingCount == _heap.Length)
        {
            Array.Resize(ref _heap, _heap.Length * 2);
        }

        simulationEvent.DueNs = Math.Max(dueNs, NowNs);
        SiftUp(PendingCount++, new Entry(simulationEvent.DueNs, ++_order, simulationEvent));
    }

    /// <summary>Removes an event from the queue; has no effect if it is not scheduled.</summary>
    public void Cancel(SimulationEvent simulationEvent)
    {
        ArgumentNullException.ThrowIfNull(simulationEvent);
        int index = simulationEvent.HeapIndex;
        if (index < 0)
        {
            return;
        }

        simulationEvent.HeapIndex = -1;
        Entry last = _heap[--PendingCount];
        _heap[PendingCount] = default;
        if (index == PendingCount)
        {
            return;
        }

        if (index > 0 && last.IsBefore(_heap[(index - 1) / Arity]))
        {
            SiftUp(index, last);
        }
        else
        {
            SiftDown(index, last);
        }
    }

    /// <summary>Runs the next event; returns false if there is none.</summary>
    public bool Step()
    {
        if (PendingCount == 0)
        {
            return false;
        }

        SimulationEvent next = _heap[0].Event;
        NowNs = _heap[0].DueNs;
        Cancel(next);
        RunCount++;
        next.Run();
        return true;
    }

    /// <summary>Runs every event up to and including a time, and ends at that time.</summary>
    public void RunUntil(long timeNs)
    {
        while (PendingCount > 0 && _heap[0].DueNs <= timeNs)
        {
            Step();
        }

        NowNs = Math.Max(NowNs, timeNs);
    }

    private void SiftUp(int index, in Entry entry)
    {
        while (index > 0)
        {
            int parent = (index - 1) / Arity;
            if (!entry.IsBefore(_heap[parent]))
            {
                break;
            }

            Place(index, _heap[parent]);
            index = parent;
        }

        Place(index, entry);
    }

    private void SiftDown(int index, in Entry entry)
    {
        while (true)
        {
            int first = (index * Arity) + 1;
            if (first >= PendingCount)
            {
                break;
            }

            int best = first;
            int end = Math.Min(first + Arity, PendingCount);
            for (int child = first + 1; child < end; child++)
            {
                if (_heap[child].IsBefore(_heap[best]))
                {
                    best = child;
                }
            }

            if (!_heap[best].IsBefore(entry))
            {
                break;
            }

            Place(index, _heap[best]);
            index = best;
        }

        Place(index, entry);
    }

    private void Place(int index, in Entry entry)
    {
        _heap[index] = entry;
        entry.Event.HeapIndex = index;
    }

    private readonly record struct Entry(long DueNs, ulong Order, SimulationEvent Event)
    {
        public bool IsBefore(in Entry other) => DueNs < other.DueNs || (DueNs == other.DueNs && Order < other.Order);
    }

    private sealed class ActionEvent(SimulationScheduler scheduler) : SimulationEvent
    {
        public Action? Action { get; set; }

        protected internal override void Run()
        {
            Action action = Action!;
            Action = null;
            scheduler._freeActions.Push(this);
            action();
            scheduler.AfterAction?.Invoke();
        }
    }
}
