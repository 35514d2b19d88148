namespace Ripple.Engine.Core;

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
