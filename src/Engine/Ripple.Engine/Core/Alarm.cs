namespace Ripple.Engine.Core;

/// <summary>
/// A timer owned by one protocol element: made once, scheduled many times, so that scheduling allocates nothing.
/// Belongs to the core thread. The callback runs on the core thread, after the alarm has left the queue, and may schedule it again.
/// </summary>
internal sealed class Alarm
{
    /// <summary>Makes an alarm that is not scheduled.</summary>
    public Alarm(Action onDue)
    {
        ArgumentNullException.ThrowIfNull(onDue);
        OnDue = onDue;
    }

    /// <summary>When it is due, in the loop's nanoseconds; meaningless while not scheduled.</summary>
    public long DueNs { get; internal set; }

    /// <summary>True between scheduling and the callback, or cancellation.</summary>
    public bool IsScheduled => HeapIndex >= 0;

    internal Action OnDue { get; }

    internal int HeapIndex { get; set; } = -1;

    internal ulong Order { get; set; }
}
