namespace Ripple.Testing.Network;

/// <summary>The sizes and times of the simulated control connections.</summary>
internal sealed record LinkNetworkOptions
{
    /// <summary>
    /// The send buffer of each direction, in bytes, with what is under way and what the other side has not taken yet. Default 1 MiB.
    /// </summary>
    public int SendBufferBytes { get; init; } = 1_024 * 1_024;

    /// <summary>How fast frames follow each other, in bits a second. Default 1 Gb/s.</summary>
    public long BitsPerSecond { get; init; } = 1_000_000_000;

    /// <summary>
    /// How long a connection stands while nothing passes: then each side finds it broken, the second up to a quarter of this later. Default
    /// 10 s.
    /// </summary>
    public long KeepAliveNs { get; init; } = 10_000_000_000;

    /// <summary>After how long an attempt to connect to a machine that does not answer fails. Default 5 s.</summary>
    public long ConnectTimeoutNs { get; init; } = 5_000_000_000;

    /// <summary>How long a frame, and all behind it, waits when its segment was lost or a partition healed. Default 200 ms.</summary>
    public long RetransmitNs { get; init; } = 200_000_000;

    /// <summary>The most frames one turn of a core takes from one connection. Default 64.</summary>
    public int FramesPerTurn { get; init; } = 64;
}
