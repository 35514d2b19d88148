namespace Ripple.Testing.Disks;

/// <summary>How a simulated disk behaves. Delays are drawn evenly between their bounds, by the disk's own generator.</summary>
internal sealed record SimulatedDiskOptions
{
    /// <summary>The shortest flush, in nanoseconds; 100 us by default.</summary>
    public long SyncDelayMinNs { get; init; } = 100_000;

    /// <summary>The longest flush, in nanoseconds; 2 ms by default.</summary>
    public long SyncDelayMaxNs { get; init; } = 2_000_000;

    /// <summary>How long a group of reads without a commit takes, in nanoseconds; 20 us by default.</summary>
    public long ReadDelayNs { get; init; } = 20_000;

    /// <summary>
    /// True, the default: a crash during a flush keeps the first few of its batches, none to all by chance, each whole. False: it keeps
    /// none of them.
    /// </summary>
    public bool CrashTears { get; init; } = true;
}
