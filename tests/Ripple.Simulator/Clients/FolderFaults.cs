namespace Ripple.Simulator.Clients;

/// <summary>How often a simulated folder fails. All zero by default.</summary>
internal sealed record FolderFaults
{
    /// <summary>A disk that is bad, but not so bad that nothing is ever saved.</summary>
    public static FolderFaults Some { get; } =
        new() { FailShare = 0.01, FullShare = 0.02, KillShare = 0.005, SlowShare = 0.02, FlipShare = 0.1 };

    /// <summary>The share of writes, moves and flushes that fail with an I/O error.</summary>
    public double FailShare { get; init; }

    /// <summary>The share of writes that find the disk full: part of the content is there, and the call fails.</summary>
    public double FullShare { get; init; }

    /// <summary>The share of writes in which the process is killed: part of the content is there.</summary>
    public double KillShare { get; init; }

    /// <summary>The share of operations that take up to <see cref="SlowNsMax"/>.</summary>
    public double SlowShare { get; init; }

    /// <summary>The longest a slow operation takes, in nanoseconds. Default 2 s.</summary>
    public long SlowNsMax { get; init; } = 2_000_000_000;

    /// <summary>The share of starts before which a bit of one file has flipped.</summary>
    public double FlipShare { get; init; }
}
