namespace Ripple.Engine.Stack.Faults;

/// <summary>How many faults there were. Written on the core thread; instruments read it from others, each value by itself.</summary>
internal sealed class FaultCounters
{
    /// <summary>Datagrams passed on, copies included.</summary>
    public long Passed { get; internal set; }

    /// <summary>Datagrams lost by chance.</summary>
    public long Dropped { get; internal set; }

    /// <summary>Datagrams lost because their destination was partitioned off, when they were made or when their delay ended.</summary>
    public long Partitioned { get; internal set; }

    /// <summary>Copies made.</summary>
    public long Duplicated { get; internal set; }

    /// <summary>Datagrams held longer than others, so that those may overtake them.</summary>
    public long Reordered { get; internal set; }

    /// <summary>Datagrams held at all.</summary>
    public long Delayed { get; internal set; }
}
