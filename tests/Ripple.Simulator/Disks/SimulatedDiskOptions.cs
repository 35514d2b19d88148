namespace Ripple.Simulator.Disks;

/// <summary>The behavior of a simulated disk. Delays are drawn uniformly between their bounds, by the disk's own generator.</summary>
internal sealed record SimulatedDiskOptions
{
    /// <summary>The shortest flush, in nanoseconds. Default 100 us.</summary>
    public long SyncDelayMinNs { get; init; } = 100_000;

    /// <summary>The longest flush, in nanoseconds. Default 2 ms.</summary>
    public long SyncDelayMaxNs { get; init; } = 2_000_000;

    /// <summary>The time of a group of reads without a commit, in nanoseconds. Default 20 us.</summary>
    public long ReadDelayNs { get; init; } = 20_000;

    /// <summary>
    /// If true (the default), a crash during a flush keeps a random number of its first batches, from none to all, each complete. If false,
    /// it keeps none.
    /// </summary>
    public bool CrashTears { get; init; } = true;
}
