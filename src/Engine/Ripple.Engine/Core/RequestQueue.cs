using System.Numerics;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Core;

/// <summary>
/// The queue into the core: bounded, lock-free, with many producers and one consumer (Vyukov's array queue). A full queue means
/// back-pressure: <see cref="TryPost"/> returns false and nothing is queued.
/// </summary>
internal sealed class RequestQueue
{
    private readonly Cell[] _cells;
    private readonly int _mask;
    private long _tail;
    private long _head;
    private IWaker? _waker;

    internal RequestQueue(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        int size = SizeOf(capacity);
        _cells = new Cell[size];
        _mask = size - 1;
        for (int i = 0; i < size; i++)
        {
            _cells[i].Turn = i;
        }
    }

    /// <summary>The most requests waiting at one time.</summary>
    public int Capacity => _cells.Length;

    /// <summary>True when nothing waits. Exact on the core thread, a hint elsewhere.</summary>
    public bool IsEmpty => Volatile.Read(ref _cells[(int)_head & _mask].Turn) != _head + 1;

    /// <summary>
    /// Posts a request to the core. Any thread; never blocks. False when the queue is full: retry later, or report it to the caller.
    /// </summary>
    public bool TryPost(Request request)
    {
        while (true)
        {
            long tail = Volatile.Read(ref _tail);
            ref Cell cell = ref _cells[(int)tail & _mask];
            long turn = Volatile.Read(ref cell.Turn);
            if (turn == tail)
            {
                if (Interlocked.CompareExchange(ref _tail, tail + 1, tail) == tail)
                {
                    cell.Request = request;
                    Volatile.Write(ref cell.Turn, tail + 1);
                    Volatile.Read(ref _waker)?.Wake();
                    return true;
                }
            }
            else if (turn < tail)
            {
                return false;
            }
        }
    }

    /// <summary>
    /// Sets the waker called for each new request; null for none, when a test or the simulator steps the loop. Set by the runner, before
    /// its first turn and after its last.
    /// </summary>
    public void SetWaker(IWaker? waker) => Volatile.Write(ref _waker, waker);

    internal static void AddMemory(MemoryBudget budget, int capacity) =>
        budget.Add<Cell>(MemoryScope.Process, MemoryKind.Fixed, "core: requests", SizeOf(capacity));

    internal int Drain(int max)
    {
        int done = 0;
        while (done < max)
        {
            ref Cell cell = ref _cells[(int)_head & _mask];
            if (Volatile.Read(ref cell.Turn) != _head + 1)
            {
                break;
            }

            Request request = cell.Request!;
            cell.Request = null;
            Volatile.Write(ref cell.Turn, _head + _cells.Length);
            _head++;
            request.Execute();
            done++;
        }

        return done;
    }

    // A single cell could not distinguish "free in the next round" from "filled in this one".
    private static int SizeOf(int capacity) => (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(2, capacity));

    private struct Cell
    {
        public long Turn;
        public Request? Request;
    }
}

/// <summary>
/// Work posted to the core by another thread: an API call, or the completion of work done outside (a commit, a verification, a control
/// frame). Created by the poster; owned by the core from <see cref="RequestQueue.TryPost"/> until <see cref="Execute"/> returns.
/// </summary>
internal abstract class Request
{
    /// <summary>Runs once, on the core thread, in posting order.</summary>
    protected internal abstract void Execute();
}

/// <summary>
/// A request that runs a delegate: made for each call where calls are rare, or made once and posted again only after it has run.
/// </summary>
internal sealed class ActionRequest(Action action) : Request
{
    /// <inheritdoc/>
    protected internal override void Execute() => action();
}

/// <summary>Wakes the sleeping core thread. Implemented by the runner; absent where a test or the simulator steps the loop.</summary>
internal interface IWaker
{
    /// <summary>Makes the loop run another turn soon. Any thread; costs a system call only while the core sleeps.</summary>
    void Wake();
}

/// <summary>Returns completions of work done outside the core to it. Unlike a caller's request, a completion is never refused.</summary>
internal interface ICompletionQueue
{
    /// <summary>
    /// Runs the action on the core thread later; actions from one thread keep their order. Any thread except the core's; waits while the
    /// request queue is full.
    /// </summary>
    void Complete(Action action);
}
