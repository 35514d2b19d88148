namespace Ripple.Simulator.Network;

/// <summary>The sizes and times of simulated control connections.</summary>
internal sealed record LinkNetworkOptions
{
    /// <summary>
    /// The send buffer of each direction, in bytes, including frames in transit and frames not yet taken by the other side. Default 1 MiB.
    /// </summary>
    public int SendBufferBytes { get; init; } = 1_024 * 1_024;

    /// <summary>The transmission rate of frames, in bits per second. Default 1 Gb/s.</summary>
    public long BitsPerSecond { get; init; } = 1_000_000_000;

    /// <summary>
    /// How long a blocked connection survives; each side then finds it broken, up to a quarter of this later. Default 10 s.
    /// </summary>
    public long KeepAliveNs { get; init; } = 10_000_000_000;

    /// <summary>The time after which an attempt to connect to an unresponsive machine fails. Default 5 s.</summary>
    public long ConnectTimeoutNs { get; init; } = 5_000_000_000;

    /// <summary>
    /// The delay of a frame, and of all frames behind it, after a lost segment; the maximum delay after a partition heals. Default 200 ms.
    /// </summary>
    public long RetransmitNs { get; init; } = 200_000_000;

    /// <summary>Maximum number of frames a core takes from one connection per turn. Default 64.</summary>
    public int FramesPerTurn { get; init; } = 64;
}
