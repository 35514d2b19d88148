namespace Ripple.Simulator.Network;

/// <summary>The sizes of the simulated datagram network.</summary>
internal sealed record NetworkOptions
{
    /// <summary>The receive buffer of a port, in bytes. Default 256 KiB. FIFO; datagrams that do not fit are dropped.</summary>
    public int ReceiveBufferBytes { get; init; } = 256 * 1_024;

    /// <summary>
    /// The space each queued datagram takes in the receive buffer besides its bytes, because the kernel counts its own structures too.
    /// Default 512.
    /// </summary>
    public int ReceiveOverheadBytes { get; init; } = 512;

    /// <summary>The send buffer of a port, in bytes not yet on the line. Default 208 KiB.</summary>
    public int SendBufferBytes { get; init; } = 208 * 1_024;

    /// <summary>The transmission rate of a port, in bits per second. Default 10 Gb/s.</summary>
    public long LineBitsPerSecond { get; init; } = 10_000_000_000;
}
