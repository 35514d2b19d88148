namespace Ripple.Simulator.Stack;

/// <summary>Counts of faults. Written on the core thread; instruments read each value independently, from any thread.</summary>
internal sealed class FaultSinkCounters
{
    /// <summary>Datagrams passed on, including copies.</summary>
    public long Passed { get; internal set; }

    /// <summary>Datagrams dropped at random.</summary>
    public long Dropped { get; internal set; }

    /// <summary>Datagrams lost because their destination was partitioned off, when they were pulled or when their delay ended.</summary>
    public long Partitioned { get; internal set; }

    /// <summary>Copies made.</summary>
    public long Duplicated { get; internal set; }

    /// <summary>Datagrams held longer than others, so that others may overtake them.</summary>
    public long Reordered { get; internal set; }

    /// <summary>Datagrams held for any time, excluding copies.</summary>
    public long Delayed { get; internal set; }
}
