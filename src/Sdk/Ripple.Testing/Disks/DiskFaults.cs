namespace Ripple.Testing.Disks;

/// <summary>How often the disk of a host misbehaves. All zero by default.</summary>
internal sealed record DiskFaults
{
    /// <summary>A disk that is bad now and then.</summary>
    public static DiskFaults Some { get; } = new()
    {
        BusyShare = 0.03,
        SlowShare = 0.02,
        FailShare = 0.01,
        FullShare = 0.01,
        FlipShare = 0.02,
    };

    /// <summary>The share of flushes and reads that find the store locked by somebody else: nothing is written.</summary>
    public double BusyShare { get; init; }

    /// <summary>The share of flushes and reads that take up to <see cref="SlowNsMax"/>.</summary>
    public double SlowShare { get; init; }

    /// <summary>The longest a slow flush or read takes, in nanoseconds. Default 3 s.</summary>
    public long SlowNsMax { get; init; } = 3_000_000_000;

    /// <summary>
    /// The share of flushes that end with an I/O error: nobody knows whether the batches are there before the disk took something else, or
    /// the host dies, and some are there then.
    /// </summary>
    public double FailShare { get; init; }

    /// <summary>
    /// The share of flushes that find the disk full, as do all within <see cref="FullNs"/>, also after the store was opened again: nothing
    /// is written. A start has its epoch all the same, by the ballast.
    /// </summary>
    public double FullShare { get; init; }

    /// <summary>How long a disk is full, in nanoseconds: until somebody makes room. Default 2 s.</summary>
    public long FullNs { get; init; } = 2_000_000_000;

    /// <summary>The share of values that are read with a flipped bit; what lies on the disk is right.</summary>
    public double FlipShare { get; init; }
}
